// A local whose address is only in another local was promoted by mem2reg together with that one, without the value of its own that each local gets
// where its life starts: here `v` kept the 1 of the iteration before, and the assertion was proved.
#include <assert.h>

int main (void) {
#ifndef SCOPE
  for (int i = 0; i < 2; i++) {
    int v;
    int *p = &v;
    if (i == 0 || FIXED) *p = 1;
    assert (*p == 1);
  }
#else
  int *p, w = 1;
  {
    int v = 1;
    p = &v;
  }
  if (FIXED) p = &w;
  assert (*p == 1);
#endif
}
