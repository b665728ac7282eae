// An absolute value is not the number itself.
#include <assert.h>
#include <stdlib.h>

int main (void) {
  volatile int n = -5;
  assert (abs (n) == n);
  return 0;
}
