// A copy of its own.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main (void) {
  const char *volatile text = "abc";
  char *a = strdup (text), *b = strndup (text, 2);
  a[0] = 'x';
  assert (text[0] == 'a' && strcmp (a, "xbc") == 0 && strcmp (b, "ab") == 0);
  free (a);
  free (b);
  return 0;
}
