// With -m32 two pointers lie side by side in a static object. Machines (engines circuit and lazy) looked for the pointer
// over a byte within 8 bytes, found the one before it, and took the second pointer for null.
#include <assert.h>
int x = 1, y = 2;
int *p[2] = {&x, &y};
int main (void) {
  p[0] = &y;
  assert (p[1] == &y && *p[1] == 2);
  return 0;
}
