// memset in the middle of an array, and of the whole.
#include <assert.h>
#include <string.h>

int main (void) {
  char text[20];
  volatile size_t all = sizeof text, some = 11;
  memset (text, 'x', all);
  memset (text + 3, 0, some);
  assert (text[2] == 'x' && text[3] == 0 && text[13] == 0 && text[14] == 'x');
  return 0;
}
