// clang computes constant expressions itself, and no operation is left that overflows: SAFE for --property=overflow.
#include <limits.h>

extern int nondet_int (void);

int main (void) {
  int n = nondet_int ();
#ifdef SUM
  int x = INT_MAX + 1;
#elif defined SHIFT
  int x = 1 << 40;
#elif defined QUOTIENT
  int x = INT_MIN / -1;
#elif defined ZERO
  int x = n ? 5 / 0 : 5 % 3;
#else
  int x = n > 5 ? INT_MAX - 1 : -INT_MAX - 1;
#endif
  return x == n;
}
