// Case counts.
#include <assert.h>
#include <string.h>

int main (void) {
  char *volatile a = "abc";
  assert (strcmp (a, "ABC") == 0);
  return 0;
}
