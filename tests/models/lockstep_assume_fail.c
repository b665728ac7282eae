// An assumption comes too late for what was before it.
#include <lockstep.h>

int main (void) {
  unsigned char c = lockstep_nondet_uchar ();
  lockstep_assert (c < 4);
  lockstep_assume (c < 4);
  return 0;
}
