// The text is no number.
#include <assert.h>
#include <stdlib.h>

int main (void) {
  char *end;
  strtod ("one", &end);
  assert (!*end);
  return 0;
}
