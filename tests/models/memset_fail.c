// The size of the pointer's neighbour, not of the object.
#include <stdlib.h>
#include <string.h>

int main (void) {
  char *p = malloc (8);
  volatile size_t size = 2 * sizeof p;
  memset (p, 0, 8 + size);
  free (p);
  return 0;
}
