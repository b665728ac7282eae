// Copying and appending, with and without a limit.
#include <assert.h>
#include <string.h>

int main (void) {
  char a[8], b[8], *volatile two = "ab";
  strcpy (a, two);
  strcat (a, "cd");
  assert (strcmp (a, "abcd") == 0);
  strncpy (b, a, 3);
  b[3] = 0;
  strncat (b, "xyz", 1);
  assert (strcmp (b, "abcx") == 0);
  assert (stpcpy (b, two) == b + 2);
  return 0;
}
