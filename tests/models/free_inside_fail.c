// Freed with an address that is not its start.
#include <stdlib.h>

int main (void) {
  char *p = malloc (2);
  volatile int one = 1;
  free (p + one);
  return 0;
}
