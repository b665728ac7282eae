// The number has one digit more than expected.
#include <stdio.h>

int main (void) {
  char text[4];
  volatile int n = 1000;
  sprintf (text, "%d", n);
  return 0;
}
