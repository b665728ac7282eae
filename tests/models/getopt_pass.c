#include <assert.h>
#include <getopt.h>
#include <string.h>

int main (void) {
  static const struct option list[] = {{"size", required_argument, NULL, 's'}, {"all", no_argument, NULL, 'a'}, {0}};
  char *words[] = {"program", "-vn5", "-o", "out", "--size=3", "--all", "-x", "file", NULL};
  int count = 8;
  assert (getopt_long (count, words, "vn:o:", list, NULL) == 'v');
  assert (getopt_long (count, words, "vn:o:", list, NULL) == 'n' && !strcmp (optarg, "5"));
  assert (getopt_long (count, words, "vn:o:", list, NULL) == 'o' && !strcmp (optarg, "out"));
  assert (getopt_long (count, words, "vn:o:", list, NULL) == 's' && !strcmp (optarg, "3"));
  assert (getopt_long (count, words, "vn:o:", list, NULL) == 'a' && !optarg);
  assert (getopt_long (count, words, "vn:o:", list, NULL) == '?' && optopt == 'x');
  assert (getopt_long (count, words, "vn:o:", list, NULL) == -1 && optind == 7);
  return 0;
}
