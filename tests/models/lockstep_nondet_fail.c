// An arbitrary value may be any, also a rare one.
#include <lockstep.h>

int main (void) {
  unsigned char c = lockstep_nondet_uchar ();
  lockstep_assert (c != 113);
  return 0;
}
