// isnan and its relatives for the three formats of floats.
#include <assert.h>
#include <float.h>
#include <math.h>

int main (void) {
  volatile float f = FLT_MIN;
  volatile double d = DBL_MAX;
  volatile long double l = 1;
  assert (isnormal (f) && !isnormal (f / 2) && isfinite (f / 2) && fpclassify (f / 2) == FP_SUBNORMAL);
  assert (isfinite (d) && !isinf (d) && isinf (d * 2) > 0 && isinf (d * -2) && !isfinite (d * 2));
  assert (isnan (d * 2 - d * 2) && !isnan (d * 2) && fpclassify (d - d) == FP_ZERO);
  assert (isnormal (l) && !isnan (l) && isnan ((l - 1) / (l - 1)) && isinf (l / (l - 1)));
  assert (!isnormal (LDBL_MIN * l / 2));
  return 0;
}
