// A product too large for size_t is refused, and the null pointer used.
#include <stdlib.h>

int main (void) {
  volatile size_t half = (size_t) -1 / 2;
  char *p = calloc (half, 4);
  *p = 1;
  free (p);
  return 0;
}
