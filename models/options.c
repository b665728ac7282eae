// getopt.h: options of the command line, as glibc reads them.  Options may follow operands, which are moved behind them
// unless the list of options begins with `+`; with `-` each operand is an option 1.  The environment is empty, so
// POSIXLY_CORRECT is not set.
#include "intrinsics.h"

char *optarg;
int optind = 1, opterr = 1, optopt;

static const char *rest;      // of a group of short options, or NULL
static int first_operand, end_of_operands;  // operands that were skipped: [first_operand, end_of_operands[ of argv
static int is_ready;
static char order;  // of the first call, or the one at which optind was 0: `+`, `-` or something else

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

// Of a group of options the word is done with its last one.
static int short_option (int argc, char *const argv[], const char *options) {
  char option = *rest++;
  const char *found = option == ':' || option == ';' ? NULL : strchr (options, option), *joined = *rest ? rest : NULL;
  int takes_argument = found && found[1] == ':';
  optarg = NULL;
  if (takes_argument || !joined) {
    optind++;
    rest = NULL;
  }
  if (!found) optopt = option;
  if (!takes_argument) return found ? option : refused (options, 0);
  if (take_argument (argc, argv, found[2] == ':' ? 2 : 1, joined)) return option;
  optopt = option;
  return refused (options, 1);
}

// ---- operands between options ----------------------------------------------------------------------------
static int is_option (int argc, char *const argv[]) {
  return optind < argc && argv[optind] && argv[optind][0] == '-' && argv[optind][1];
}

// The operands that were skipped go behind the options that were read since.
static void move_operands (char **argv) {
  int options = optind - end_of_operands;
  for (int k = 0; k < options; k++) {
    char *option = argv[end_of_operands + k];
    for (int at = end_of_operands + k; at > first_operand + k; at--) argv[at] = argv[at - 1];
    argv[first_operand + k] = option;
  }
  first_operand += options;
  end_of_operands = optind;
}

static void skip_operands (int argc, char **argv) {
  if (first_operand == end_of_operands) first_operand = end_of_operands = optind;
  else if (end_of_operands != optind) move_operands (argv);
  while (optind < argc && !is_option (argc, argv)) optind++;
  end_of_operands = optind;
}

static int is_end_mark (const char *word) { return word[0] == '-' && word[1] == '-' && !word[2]; }

// `--` ends the options; it goes before the operands, too.
static int end_at_mark (char **argv) {
  optind++;
  if (first_operand != end_of_operands) {
    move_operands (argv);
    optind = first_operand;
  }
  return -1;
}

// The list of options without what is said of operands.
static const char *get_ready (const char *options) {
  if (!is_ready || !optind) {
    is_ready = 1;
    if (!optind) optind = 1;
    first_operand = end_of_operands = optind;
    order = *options;
    rest = NULL;
  }
  return *options == '+' || *options == '-' ? options + 1 : options;
}

// Looks at the word at optind: 0 if it is an option, else what getopt returns.
static int look_at_word (int argc, char **argv) {
  optarg = NULL;
  if (end_of_operands > optind) end_of_operands = optind;  // the program has set optind back
  if (first_operand > optind) first_operand = optind;
  if (order != '+' && order != '-') skip_operands (argc, argv);
  if (is_option (argc, argv)) return is_end_mark (argv[optind]) ? end_at_mark (argv) : 0;
  if (optind < argc && order == '-') {
    optarg = argv[optind++];
    return 1;
  }
  if (first_operand != end_of_operands) optind = first_operand;
  return -1;
}

int getopt (int argc, char *const argv[], const char *options) {
  options = get_ready (options);
  if (!rest) {
    int end = look_at_word (argc, (char **) argv);
    if (end) return end;
    rest = argv[optind] + 1;
  }
  return short_option (argc, argv, options);
}

// ---- long options ----------------------------------------------------------------------------------------
// The option with this name, else the only one whose name begins so; -1: none, or several.
static int find_long (const char *word, size_t length, const struct option *list) {
  int found = -1;
  for (int k = 0; list[k].name; k++) {
    if (strncmp (list[k].name, word, length)) continue;
    if (!list[k].name[length]) return k;
    found = found == -1 ? k : -2;
  }
  return found < 0 ? -1 : found;
}

static int long_option (int argc, char *const argv[], const char *options, const struct option *list, int *index) {
  const char *word = argv[optind++] + 2, *value = strchr (word, '=');
  int k = find_long (word, value ? (size_t) (value - word) : strlen (word), list);
  optopt = 0;
  if (k < 0) return '?';
  optopt = list[k].value;
  if (value && !list[k].has_argument) return '?';
  if (!take_argument (argc, argv, list[k].has_argument, value ? value + 1 : NULL)) return refused (options, 1);
  if (index) *index = k;
  if (!list[k].flag) return list[k].value;
  *list[k].flag = list[k].value;
  return 0;
}

int getopt_long (int argc, char *const argv[], const char *options, const struct option *list, int *index) {
  options = get_ready (options);
  if (rest) return short_option (argc, argv, options);
  int end = look_at_word (argc, (char **) argv);
  if (end) return end;
  if (argv[optind][1] == '-') return long_option (argc, argv, options, list, index);
  rest = argv[optind] + 1;
  return short_option (argc, argv, options);
}
