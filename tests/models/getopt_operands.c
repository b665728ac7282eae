// Operands between options, as glibc reads them: natively, this program passes, too.
#include <assert.h>
#include <getopt.h>
#include <string.h>

static int is (char *const words[], int from, const char *const *expected) {
  for (int k = 0; expected[k]; k++)
    if (strcmp (words[from + k], expected[k])) return 0;
  return 1;
}

static void moved (void) {
  char *words[] = {"program", "one", "-v", "two", "three", "-n", "5", "-vv", "four", "--", "-v", NULL};
  optind = 0;
  assert (getopt (11, words, "vn:") == 'v' && optind == 3);
  assert (getopt (11, words, "vn:") == 'n' && !strcmp (optarg, "5") && optind == 7);
  assert (getopt (11, words, "vn:") == 'v');
  assert (getopt (11, words, "vn:") == 'v');
  assert (getopt (11, words, "vn:") == -1 && optind == 6);
  assert (is (words, 1, (const char *const[]){"-v", "-n", "5", "-vv", "--", "one", "two", "three", "four", "-v", NULL}));
}

static void stays (void) {
  char *words[] = {"program", "-v", "one", "-v", NULL};
  optind = 0;
  assert (getopt (4, words, "+:vn:") == 'v');
  assert (getopt (4, words, "+:vn:") == -1 && optind == 2);
  assert (is (words, 1, (const char *const[]){"-v", "one", "-v", NULL}));
}

static void in_order (void) {
  char *words[] = {"program", "one", "-n", NULL};
  optind = 0;
  assert (getopt (3, words, "-:n:") == 1 && !strcmp (optarg, "one"));
  assert (getopt (3, words, "-:n:") == ':' && optopt == 'n');
  assert (getopt (3, words, "-:n:") == -1 && optind == 3);
}

static void shortened (void) {
  static const struct option list[] = {
      {"size", required_argument, NULL, 's'}, {"silent", no_argument, NULL, 'q'}, {"all", no_argument, NULL, 'a'}, {0}};
  char *words[] = {"program", "file", "--al", "--si=3", "--siz=3", "--", NULL};
  optind = 0, opterr = 0;
  assert (getopt_long (6, words, "", list, NULL) == 'a');
  assert (getopt_long (6, words, "", list, NULL) == '?');
  assert (getopt_long (6, words, "", list, NULL) == 's' && !strcmp (optarg, "3"));
  assert (getopt_long (6, words, "", list, NULL) == -1 && optind == 5 && !strcmp (words[5], "file"));
}

static void only_options (void) {
  char *words[] = {"program", "-v", "--", "-v", NULL}, *none[] = {"program", NULL};
  optind = 0;
  assert (getopt (4, words, "v") == 'v');
  assert (getopt (4, words, "v") == -1 && optind == 3);
  optind = 1;
  assert (getopt (1, none, "v") == -1 && optind == 1);
  assert (getopt (1, none, "v") == -1 && optind == 1);
}

int main (void) {
  moved ();
  stays ();
  in_order ();
  shortened ();
  only_options ();
  return 0;
}
