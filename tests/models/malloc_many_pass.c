// More blocks one after the other than 32-bit pointers can tell apart.
#include <stdlib.h>

int main (void) {
  for (int n = 0; n < 700; n++) {
    int *p = malloc (sizeof *p);
    *p = n;
    free (p);
  }
  return 0;
}
