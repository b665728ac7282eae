// From EOF to 255.
#include <assert.h>
#include <stdio.h>

int main (void) {
  int c = getchar ();
  assert (c >= EOF && c <= 255);
  return 0;
}
