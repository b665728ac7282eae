// Random numbers are not negative, and what is taken modulo 2 is 0 or 1.
#include <assert.h>
#include <stdlib.h>

int main (void) {
  srand (1);
  int bit = rand () % 2;
  assert (bit == 0 || bit == 1);
  return 0;
}
