// (third - 1) + i: the constant part of the sum lies before the object, in what might be another one.
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar (void);
static int first[64], second[64], third[4] = {1, 2, 3, 4}, fourth[64];

int main (void) {
  first[0] = second[0] = fourth[0] = 0;
  unsigned long i = __VERIFIER_nondet_uchar ();
  if (i < 1 || i > 4) return 0;
  int *p = third + i;
  p--;
  assert (*p != 3);
  return 0;
}
