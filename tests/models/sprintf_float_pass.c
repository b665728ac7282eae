// Every digit of a float is right, rounded half to even, whatever the conversion.
#include <assert.h>
#include <stdio.h>
#include <string.h>

static char text[80];

int main (void) {
  volatile double third = 1 / 3.0, tie = 2.5, large = 1e23, zero = 0;
  sprintf (text, "%f|%.0f|%08.2f|%-8.1e|%.20f", third, tie, -third, large, third);
  assert (strcmp (text, "0.333333|2|-0000.33|1.0e+23 |0.33333333333333331483") == 0);
  sprintf (text, "%.0f %g %g %g %#.3g", large, third / 1e5, large, tie, tie);
  assert (strcmp (text, "99999999999999991611392 3.33333e-06 1e+23 2.5 2.50") == 0);
  sprintf (text, "%a %g %+F %5e", tie, -zero, 1 / zero, zero);
  assert (strcmp (text, "0x1.4p+1 -0 +INF 0.000000e+00") == 0);
  int n = snprintf (text, 8, "%.3Lf %d", (long double) tie / 3, 7);
  assert (n == 7 && strcmp (text, "0.833 7") == 0);
  return 0;
}
