// lockstep_assert that does not.
#include <lockstep.h>

int main (void) {
  int n = 2;
  lockstep_assert (n == 3);
  return 0;
}
