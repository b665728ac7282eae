// Closed twice.
#include <stdio.h>

int main (void) {
  FILE *volatile f = fopen ("no-such-file", "r");
  if (!f) return 0;
  fclose (f);
  fclose (f);
  return 0;
}
