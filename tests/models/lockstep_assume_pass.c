// After an assumption only what it allows is left.
#include <lockstep.h>

int main (void) {
  unsigned char c = lockstep_nondet_uchar ();
  lockstep_assume (c < 4);
  lockstep_assert (c * 2 < 8);
  return 0;
}
