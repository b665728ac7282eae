// Overlapping in both directions.
#include <assert.h>
#include <string.h>

int main (void) {
  char text[] = "abcdef";
  volatile size_t four = 4;
  memmove (text + 1, text, four);
  assert (strcmp (text, "aabcdf") == 0);
  memmove (text, text + 2, four);
  assert (strcmp (text, "bcdfdf") == 0);
  return 0;
}
