#include <assert.h>
#include <stdlib.h>

int main (void) {
  char *end;
  assert (strtod (" -12.5e1x", &end) == -125 && *end == 'x');
  assert (strtod ("0.1", &end) == 0.1 && !*end);
  assert (strtod ("3e", &end) == 3 && *end == 'e');
  assert (strtod ("x", &end) == 0 && *end == 'x');
  assert (atof ("1e-3") == 0.001);
  return 0;
}
