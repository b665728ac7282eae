// The old address is used after a realloc.
#include <stdlib.h>

int main (void) {
  int *p = malloc (sizeof *p), *volatile old = p;
  p = realloc (p, 100 * sizeof *p);
  *old = 1;
  free (p);
  return 0;
}
