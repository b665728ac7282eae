// Opened, tested, closed.
#include <stdio.h>

int main (void) {
  FILE *f = fopen ("no-such-file", "r");
  if (f) fclose (f);
  return 0;
}
