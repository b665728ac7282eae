// Sorting one element more than there are.
#include <stdlib.h>

static int compare (const void *a, const void *b) { return *(const int *) a - *(const int *) b; }

int main (void) {
  int n[3] = { 3, 1, 2 };
  volatile size_t count = 4;
  qsort (n, count, sizeof *n, compare);
  return n[0] & 0;
}
