// getopt.h: options of the command line, as POSIX describes them.  glibc moves operands behind options that follow them, which is not modelled.
#include "intrinsics.h"

char *optarg;
int optind = 1, opterr = 1, optopt;

static const char *rest;  // of a group of short options, or NULL

struct option {
  const char *name;
  int has_argument;  // 0 no, 1 yes, 2 perhaps
  int *flag, value;
};

extern size_t strlen (const char *);
extern int strncmp (const char *, const char *, size_t);
extern char *strchr (const char *, int);

static int refused (const char *options, int missing) { return missing && *options == ':' ? ':' : '?'; }

// `kind`: as in struct option; `joined`: what stands behind the option in the same word, or NULL.
static int take_argument (int argc, char *const argv[], int kind, const char *joined) {
  optarg = (char *) joined;
  if (kind != 1 || joined) return 1;
  if (optind >= argc) return 0;
  optarg = argv[optind++];
  return 1;
}

static int short_option (int argc, char *const argv[], const char *options) {
  char option = *rest++;
  const char *found = option == ':' ? NULL : strchr (options, option), *joined = *rest ? rest : NULL;
  optarg = NULL;
  if (!found || found[1] != ':') {
    if (!joined) rest = NULL;
    if (!found) optopt = option;
    return found ? option : refused (options, 0);
  }
  rest = NULL;
  if (take_argument (argc, argv, found[2] == ':' ? 2 : 1, joined)) return option;
  optopt = option;
  return refused (options, 1);
}

static int is_option (int argc, char *const argv[]) {
  return optind < argc && argv[optind] && argv[optind][0] == '-' && argv[optind][1];
}

static int end_of_options (int argc, char *const argv[], const char *options) {
  extern void __lockstep_unsupported_getopt_of_options_behind_operands (void);
  for (int k = optind + 1; *options != '+' && k < argc && argv[k]; k++)
    if (argv[k][0] == '-' && argv[k][1]) __lockstep_unsupported_getopt_of_options_behind_operands ();
  return -1;
}

int getopt (int argc, char *const argv[], const char *options) {
  if (!rest) {
    if (!is_option (argc, argv)) return end_of_options (argc, argv, options);
    rest = argv[optind++] + 1;
    if (rest[0] == '-' && !rest[1]) return rest = NULL, -1;
  }
  return short_option (argc, argv, options);
}

// ---- long options: by their full names ----------------------------------------------------------------
static int long_option (int argc, char *const argv[], const char *options, const struct option *list, int *index) {
  const char *word = argv[optind++] + 2, *value = strchr (word, '=');
  size_t length = value ? (size_t) (value - word) : strlen (word);
  for (int k = 0; list[k].name; k++) {
    if (strncmp (list[k].name, word, length) || list[k].name[length]) continue;
    if (index) *index = k;
    optopt = list[k].value;
    if (value && !list[k].has_argument) return '?';
    if (!take_argument (argc, argv, list[k].has_argument, value ? value + 1 : NULL)) return refused (options, 1);
    if (!list[k].flag) return list[k].value;
    *list[k].flag = list[k].value;
    return 0;
  }
  optopt = 0;
  return '?';
}

int getopt_long (int argc, char *const argv[], const char *options, const struct option *list, int *index) {
  int is_long = !rest && is_option (argc, argv) && argv[optind][1] == '-' && argv[optind][2];
  return is_long ? long_option (argc, argv, options, list, index) : getopt (argc, argv, options);
}
