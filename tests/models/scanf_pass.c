// Only what was converted is stored; the count is between EOF and the number of conversions.
#include <assert.h>
#include <stdio.h>

int main (void) {
  short n, untouched = 5;
  int count = sscanf ("x", "%hd", &n);
  assert (count >= EOF && count <= 1 && untouched == 5);
  return 0;
}
