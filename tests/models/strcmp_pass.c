// Order of strings.
#include <assert.h>
#include <string.h>
#include <strings.h>

int main (void) {
  char *volatile a = "abc";
  assert (strcmp (a, "abc") == 0 && strcmp (a, "abd") < 0 && strcmp (a, "ab") > 0);
  assert (strncmp (a, "abX", 2) == 0 && strncmp (a, "abX", 3) > 0);
  assert (strcasecmp (a, "ABC") == 0 && strcasecmp (a, "ABD") < 0);
  return 0;
}
