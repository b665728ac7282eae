// A digit is no letter.
#include <assert.h>
#include <ctype.h>

int main (void) {
  volatile int five = '5';
  assert (isalpha (five));
  return 0;
}
