// Floating point as text, for sprintf and relatives: %f %e %g %a, every digit right for every number and precision.
//
// A float is a whole number times a power of two, so it has finitely many decimal digits.  All of them are computed in
// a row of limbs of nine digits each, as many as the exponent asks for, by multiplying or dividing by powers of two;
// then they are rounded once, half to even, where the conversion ends.  Only integers are used: floating-point
// operations would round on their own, and not every engine knows them.
//
// Compared with glibc 2.36 on a million random numbers and formats: the same but for `%#g` where rounding adds a digit
// (999999.5), which drops zeros there that C11 7.21.6.1 keeps.
#include "format.h"

// mantissa * 2^exponent.  Infinity and NaN have their name instead.
struct number {
  unsigned long long mantissa;
  int exponent, negative;
  const char *name;
};

enum { DIGITS = 9, BASE = 1000000000, SHIFT = 30 };  // 2^SHIFT * BASE and BASE << SHIFT fit 64 bits

// The sum of limb[k] * BASE^(k - fraction).
struct decimal {
  unsigned *limb;
  int fraction, count;
};

// ---- the digits ------------------------------------------------------------------------------------
static unsigned power_of_ten (int n) {
  unsigned power = 1;
  for (; n > 0; n--) power *= 10;
  return power;
}

static void multiply (struct decimal *d, int bits) {
  unsigned long long carry = 0;
  for (int k = 0; k < d->count; k++) {
    carry += (unsigned long long) d->limb[k] << bits;
    d->limb[k] = (unsigned) (carry % BASE);
    carry /= BASE;
  }
}

static void divide (struct decimal *d, int bits) {
  unsigned long long rest = 0;
  for (int k = d->count; k-- > 0;) {
    rest = rest * BASE + d->limb[k];
    d->limb[k] = (unsigned) (rest >> bits);
    rest &= (1ull << bits) - 1;
  }
}

static int smaller (int a, int b) { return a < b ? a : b; }

// Each division by two makes one more decimal place; each limb holds more than 29 bits.
static int limbs_behind_point (int exponent) { return exponent < 0 ? (-exponent + DIGITS - 1) / DIGITS : 0; }
static int limbs_before_point (int exponent) { return 4 + (exponent > 0 ? exponent / 29 : 0); }

static void set (struct decimal *d, const struct number *x) {
  unsigned long long m = x->mantissa;
  for (int k = 0; k < d->count; k++) {
    d->limb[k] = k < d->fraction ? 0 : (unsigned) (m % BASE);
    if (k >= d->fraction) m /= BASE;
  }
  for (int n = x->exponent; n > 0; n -= SHIFT) multiply (d, smaller (n, SHIFT));
  for (int n = -x->exponent; n > 0; n -= SHIFT) divide (d, smaller (n, SHIFT));
}

// The digit that counts 10^position.
static int digit (const struct decimal *d, int position) {
  int k = position + d->fraction * DIGITS;
  if (k < 0 || k >= d->count * DIGITS) return 0;
  return (int) (d->limb[k / DIGITS] / power_of_ten (k % DIGITS) % 10);
}

// Position of the first digit that is not 0; of zero: 0.
static int leading (const struct decimal *d) {
  int k = d->count - 1;
  while (k >= 0 && !d->limb[k]) k--;
  if (k < 0) return 0;
  int position = (k - d->fraction) * DIGITS;
  for (unsigned rest = d->limb[k] / 10; rest; rest /= 10) position++;
  return position;
}

static int any_below (const struct decimal *d, int k) {
  while (k-- > 0)
    if (d->limb[k]) return 1;
  return 0;
}

// Rounds to a multiple of 10^position, half to even.
static void round_at (struct decimal *d, int position) {
  int at = position + d->fraction * DIGITS;
  if (at <= 0) return;  // nothing stands behind it
  int k = at / DIGITS, odd = digit (d, position) & 1, cut = (at - 1) / DIGITS;
  unsigned unit = power_of_ten (at - cut * DIGITS), rest = d->limb[cut] % unit, half = unit / 2;
  int up = rest > half || (rest == half && (odd || any_below (d, cut)));
  d->limb[cut] -= rest;
  for (int j = 0; j < cut; j++) d->limb[j] = 0;
  if (!up) return;
  d->limb[k] += power_of_ten (at % DIGITS);
  for (; d->limb[k] >= BASE; k++) {
    d->limb[k] -= BASE;
    d->limb[k + 1]++;
  }
}

// ---- the text --------------------------------------------------------------------------------------
static void put_text (struct sink *s, const char *text) {
  for (; *text; text++) __lockstep_put (s, *text);
}

static char sign_of (const struct spec *f, const struct number *x) {
  return x->negative ? '-' : f->plus ? '+' : f->space ? ' ' : 0;
}

// What stands in front of a number of `length` characters: blanks, sign, prefix, zeros.  Returns the blanks to put
// behind it.
static int put_front (struct sink *s, const struct spec *f, char sign, const char *prefix, int length) {
  int fill = f->width - length - (sign != 0);
  for (const char *p = prefix; *p; p++) fill--;
  if (!f->left && !f->zero) __lockstep_pad (s, ' ', fill);
  if (sign) __lockstep_put (s, sign);
  put_text (s, prefix);
  if (!f->left && f->zero) __lockstep_pad (s, '0', fill);
  return f->left ? fill : 0;
}

static int exponent_digits (int exponent, int least) {
  int n = 1;
  for (int rest = exponent < 0 ? -exponent : exponent; rest > 9; rest /= 10) n++;
  return n < least ? least : n;
}

static void put_exponent (struct sink *s, char letter, int exponent, int least) {
  int n = exponent_digits (exponent, least);
  unsigned rest = (unsigned) (exponent < 0 ? -exponent : exponent);
  __lockstep_put (s, letter);
  __lockstep_put (s, exponent < 0 ? '-' : '+');
  while (n-- > 0) __lockstep_put (s, (char) ('0' + rest / power_of_ten (n) % 10));
}

// `places` digits below the position, behind a point if there are any (or the format wants it).
static void put_places (struct sink *s, const struct spec *f, const struct decimal *d, int position, int places) {
  if (places > 0 || f->alternate) __lockstep_put (s, '.');
  for (int k = 1; k <= places; k++) __lockstep_put (s, (char) ('0' + digit (d, position - k)));
}

static void put_fixed (struct sink *s, const struct spec *f, char sign, const struct decimal *d, int places) {
  int top = leading (d), point = places > 0 || f->alternate;
  if (top < 0) top = 0;
  int blanks = put_front (s, f, sign, "", top + 1 + point + places);
  for (int position = top; position >= 0; position--) __lockstep_put (s, (char) ('0' + digit (d, position)));
  put_places (s, f, d, 0, places);
  __lockstep_pad (s, ' ', blanks);
}

static void put_scientific (struct sink *s, const struct spec *f, char sign, const struct decimal *d, int places,
                            char letter) {
  int top = leading (d), point = places > 0 || f->alternate;
  int blanks = put_front (s, f, sign, "", 1 + point + places + 2 + exponent_digits (top, 2));
  __lockstep_put (s, (char) ('0' + digit (d, top)));
  put_places (s, f, d, top, places);
  put_exponent (s, letter, top, 2);
  __lockstep_pad (s, ' ', blanks);
}

// As many places as have digits other than 0 behind the position.
static int needed_places (const struct decimal *d, int position, int places) {
  while (places > 0 && digit (d, position - places) == 0) places--;
  return places;
}

static void put_general (struct sink *s, const struct spec *f, char sign, struct decimal *d, int precision,
                         char letter) {
  int significant = precision ? precision : 1;
  round_at (d, leading (d) - significant + 1);
  int top = leading (d), fixed = top >= -4 && top < significant;
  int places = fixed ? significant - 1 - top : significant - 1;
  if (!f->alternate) places = needed_places (d, fixed ? 0 : top, places);
  if (fixed) put_fixed (s, f, sign, d, places);
  else put_scientific (s, f, sign, d, places, letter);
}

static void put_decimal (struct sink *s, const struct spec *f, const struct number *x, char conversion) {
  int fraction = limbs_behind_point (x->exponent), count = fraction + limbs_before_point (x->exponent);
  unsigned limbs[count];
  struct decimal d = {limbs, fraction, count};
  int precision = f->precision < 0 ? 6 : f->precision;
  char lower = (char) (conversion | 32), sign = sign_of (f, x);
  set (&d, x);
  if (lower == 'f') {
    round_at (&d, -precision);
    put_fixed (s, f, sign, &d, precision);
  } else if (lower == 'e') {
    round_at (&d, leading (&d) - precision);
    put_scientific (s, f, sign, &d, precision, conversion);
  } else put_general (s, f, sign, &d, precision, (char) (conversion - 2));
}

// ---- hexadecimal -----------------------------------------------------------------------------------
// One hexadecimal digit, which `point` bits of the mantissa follow, then the others behind the point.
static void put_hexadecimal (struct sink *s, const struct spec *f, const struct number *x, char conversion, int point) {
  unsigned long long m = x->mantissa;
  int exponent = m ? x->exponent + point : 0, places = point / 4, upper = conversion == 'A';
  if (f->precision >= 0 && f->precision < places) {
    unsigned long long unit = 1ull << 4 * (places - f->precision), rest = m % unit;
    m -= rest;
    if ((rest > unit / 2 || (rest == unit / 2 && m & unit)) && (m += unit) < unit) m = 1ull << point, exponent += 4;
  }
  if (f->precision >= 0) places = f->precision;
  else
    while (places > 0 && !(m >> (point - 4 * places) & 15)) places--;
  int dot = places > 0 || f->alternate, length = 1 + dot + places + 2 + exponent_digits (exponent, 1);
  int blanks = put_front (s, f, sign_of (f, x), upper ? "0X" : "0x", length);
  const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  __lockstep_put (s, digits[m >> point & 15]);
  if (dot) __lockstep_put (s, '.');
  for (int k = 1; k <= places; k++) __lockstep_put (s, 4 * k > point ? '0' : digits[m >> (point - 4 * k) & 15]);
  put_exponent (s, upper ? 'P' : 'p', exponent, 1);
  __lockstep_pad (s, ' ', blanks);
}

// ---- all of them -----------------------------------------------------------------------------------
static void put_name (struct sink *s, const struct spec *f, const struct number *x, char conversion) {
  struct spec without = *f;
  without.zero = 0;
  int blanks = put_front (s, &without, sign_of (f, x), "", 3);
  for (const char *p = x->name; *p; p++) __lockstep_put (s, (char) (conversion < 'a' ? *p - 32 : *p));
  __lockstep_pad (s, ' ', blanks);
}

static void put_number (struct sink *s, const struct spec *f, const struct number *x, char conversion, int point) {
  if (x->name) put_name (s, f, x, conversion);
  else if ((conversion | 32) == 'a') put_hexadecimal (s, f, x, conversion, point);
  else put_decimal (s, f, x, conversion);
}

void __lockstep_put_double (struct sink *s, const struct spec *f, double value, char conversion) {
  union {
    double value;
    unsigned long long bits;
  } u = {value};
  int stored = (int) (u.bits >> 52 & 2047);
  unsigned long long fraction = u.bits & ((1ull << 52) - 1);
  struct number x = {fraction, -1074, (int) (u.bits >> 63), NULL};
  if (stored) x.mantissa |= 1ull << 52, x.exponent += stored - 1;
  if (stored == 2047) x.name = fraction ? "nan" : "inf";
  put_number (s, f, &x, conversion, 52);
}

void __lockstep_put_long_double (struct sink *s, const struct spec *f, long double value, char conversion) {
  union {
    long double value;
    struct {
      unsigned long long mantissa;
      unsigned short rest;
    } bits;
  } u = {value};
  int stored = u.bits.rest & 32767;
  struct number x = {u.bits.mantissa, -16445 + (stored ? stored - 1 : 0), u.bits.rest >> 15, NULL};
  if (stored == 32767) x.name = u.bits.mantissa << 1 ? "nan" : "inf";
  put_number (s, f, &x, conversion, 60);
}
