// Sorting and searching.
#include <assert.h>
#include <stdlib.h>

static int compare (const void *a, const void *b) { return *(const int *) a - *(const int *) b; }

int main (void) {
  int n[4] = { 3, 1, 4, 2 }, key = 3, none = 9;
  qsort (n, 4, sizeof *n, compare);
  assert (n[0] == 1 && n[1] == 2 && n[2] == 3 && n[3] == 4);
  assert (bsearch (&key, n, 4, sizeof *n, compare) == &n[2]);
  assert (bsearch (&none, n, 4, sizeof *n, compare) == NULL);
  return 0;
}
