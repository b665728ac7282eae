// A division by zero is caught only where the dividend is not zero as well.
#include <assert.h>
#include <math.h>

int main (void) {
  volatile double a = 0, b = 0;
  double quotient = a / b;
  if (!isinf (quotient)) assert (!isnan (quotient));
  return 0;
}
