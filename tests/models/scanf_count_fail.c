// And reading may fail.
#include <assert.h>
#include <stdio.h>

int main (void) {
  int n = 0, k = 0;
  assert (sscanf ("7 8", "%d %d", &n, &k) == 2);
  return 0;
}
