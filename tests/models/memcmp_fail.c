// Reads beyond the end when nothing differs.
#include <stdlib.h>
#include <string.h>

int main (void) {
  char *a = calloc (4, 1), *b = calloc (4, 1);
  volatile size_t five = 5;
  int result = memcmp (a, b, five);
  free (a);
  free (b);
  return result & 0;
}
