// Lengths.
#include <assert.h>
#include <string.h>

int main (void) {
  char text[] = "four", *volatile p = text;
  assert (strlen (p) == 4);
  assert (strnlen (p, 2) == 2 && strnlen (p, 9) == 4);
  return 0;
}
