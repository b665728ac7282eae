// Whoever reserves seven bytes has not thought of a number as large as this.
#include <stdio.h>

int main (void) {
  char text[7];
  volatile double x = 99.9996;
  sprintf (text, "%.3f", x);
  return 0;
}
