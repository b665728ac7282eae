// A bool is 0 or 1.
#include <lockstep.h>

int main (void) {
  int b = lockstep_nondet_bool ();
  lockstep_assert (b == 0 || b == 1);
  return 0;
}
