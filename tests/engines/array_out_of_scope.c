// An array of variable length ends with its block.
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar (void);

int main (void) {
  int n = 1 + __VERIFIER_nondet_uchar () % 2, *p;
  {
    int a[n];
    a[0] = 1;
    p = a;
  }
  assert (*p == 1);
  return 0;
}
