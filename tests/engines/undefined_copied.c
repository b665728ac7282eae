// What is copied to a global without having been written has any value there.
#include <assert.h>

struct pair {
  int first, second;
} global;

int main (void) {
  struct pair local;
  local.first = 1;
  global = local;
  assert (global.first == 1);
#ifndef FIRST
  assert (global.second == 0);
#endif
  return 0;
}
