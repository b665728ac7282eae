// Formatting into memory is done for real.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main (void) {
  char text[32];
  int n = sprintf (text, "%s=%03d,%-3x|%c%%", "n", -5, 255u, 'z');
  assert (n == 12 && strcmp (text, "n=-05,ff |z%") == 0);
  volatile long large = 123456;
  n = snprintf (text, 4, "%ld", large);
  assert (n == 6 && strcmp (text, "123") == 0);
  return 0;
}
