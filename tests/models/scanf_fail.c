// What is read may be anything.
#include <assert.h>
#include <stdio.h>

int main (void) {
  int n;
  if (scanf ("%d", &n) == 1) assert (n < 100);
  return 0;
}
