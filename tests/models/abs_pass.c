// Absolute values and first bits.
#include <assert.h>
#include <stdlib.h>
#include <strings.h>

int main (void) {
  volatile int n = -5, bits = 24, none = 0;
  volatile long l = -6;
  assert (abs (n) == 5 && labs (l) == 6);
  assert (ffs (bits) == 4 && ffs (none) == 0);
  return 0;
}
