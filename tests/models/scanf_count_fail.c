// And reading may fail. A text is not an input: tests/models/sscanf_pass.c.
#include <assert.h>
#include <stdio.h>

int main (void) {
  int n = 0, k = 0;
  assert (scanf ("%d %d", &n, &k) == 2);
  return 0;
}
