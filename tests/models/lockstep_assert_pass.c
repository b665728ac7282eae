// lockstep_assert that holds.
#include <lockstep.h>

int main (void) {
  int n = 2;
  lockstep_assert (n == 2);
  return 0;
}
