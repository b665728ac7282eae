// snprintf returns the length it would have needed.
#include <assert.h>
#include <stdio.h>

int main (void) {
  char text[4];
  volatile int n = 1000;
  assert (snprintf (text, sizeof text, "%d", n) < (int) sizeof text);
  return 0;
}
