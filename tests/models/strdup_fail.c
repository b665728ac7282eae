// The copy has no room for more.
#include <stdlib.h>
#include <string.h>

int main (void) {
  const char *volatile text = "abc";
  char *a = strdup (text);
  strcat (a, "d");
  free (a);
  return 0;
}
