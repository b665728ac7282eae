// stdlib.h: numbers from text, absolute values, pseudo-random numbers (any value).
#include "intrinsics.h"

// ---- text to number --------------------------------------------------------------------------------
static int digit_of (char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

static const char *skip_space (const char *s) {
  while (*s == ' ' || (*s >= '\t' && *s <= '\r')) s++;
  return s;
}

struct scanned {
  unsigned long long magnitude;
  int negative, overflow;
};

static struct scanned scan_number (const char *text, const char **end, int base) {
  struct scanned r = {0, 0, 0};
  const char *s = skip_space (text);
  if (*s == '-' || *s == '+') r.negative = *s++ == '-';
  int hex = (base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && digit_of (s[2]) < 16;
  if (hex) s += 2, base = 16;
  if (base == 0) base = *s == '0' ? 8 : 10;
  const char *first = s;
  for (int d; (d = digit_of (*s)) < base; s++)
    if (__builtin_mul_overflow (r.magnitude, (unsigned) base, &r.magnitude) ||
        __builtin_add_overflow (r.magnitude, (unsigned) d, &r.magnitude))
      r.overflow = 1;
  *end = s == first ? text : s;
  return r;
}

static long long scan_signed (const char *text, char **end, int base, unsigned long long max) {
  const char *stop;
  struct scanned r = scan_number (text, &stop, base);
  if (end) *end = (char *) stop;
  if (r.overflow || r.magnitude > max + (unsigned) r.negative) {
    __lockstep_fail (ERANGE);
    r.magnitude = max + (unsigned) r.negative;
  }
  return (long long) (r.negative ? -r.magnitude : r.magnitude);
}

static unsigned long long scan_unsigned (const char *text, char **end, int base, unsigned long long max) {
  const char *stop;
  struct scanned r = scan_number (text, &stop, base);
  if (end) *end = (char *) stop;
  if (r.overflow || r.magnitude > max) {
    __lockstep_fail (ERANGE);
    return max;
  }
  return r.negative ? -r.magnitude : r.magnitude;
}

long strtol (const char *text, char **end, int base) { return (long) scan_signed (text, end, base, __LONG_MAX__); }
long long strtoll (const char *text, char **end, int base) { return scan_signed (text, end, base, __LONG_LONG_MAX__); }
unsigned long strtoul (const char *text, char **end, int base) {
  return (unsigned long) scan_unsigned (text, end, base, ~0ul);
}
unsigned long long strtoull (const char *text, char **end, int base) { return scan_unsigned (text, end, base, ~0ull); }

// The names newer headers use for the same functions.
long __isoc23_strtol (const char *text, char **end, int base) { return strtol (text, end, base); }
long long __isoc23_strtoll (const char *text, char **end, int base) { return strtoll (text, end, base); }
unsigned long __isoc23_strtoul (const char *text, char **end, int base) { return strtoul (text, end, base); }
unsigned long long __isoc23_strtoull (const char *text, char **end, int base) { return strtoull (text, end, base); }

// Up to 15 digits and powers of ten up to 22 are exact in a double, so that one product or quotient is rounded right;
// longer numbers, hexadecimal ones, infinity and the like are not modelled.
struct decimal {
  unsigned long long digits;
  int count, exponent, negative;
};

static const char *scan_digits (const char *s, struct decimal *d, int step) {
  for (; *s >= '0' && *s <= '9'; s++, d->exponent -= step) {
    d->digits = d->digits * 10 + (unsigned) (*s - '0');
    d->count++;
  }
  return s;
}

static const char *scan_exponent (const char *s, struct decimal *d) {
  if (*s != 'e' && *s != 'E') return s;
  const char *digits = s + 1 + (s[1] == '-' || s[1] == '+');
  int exponent = 0;
  if (*digits < '0' || *digits > '9') return s;
  for (; *digits >= '0' && *digits <= '9'; digits++) exponent = exponent < 1000 ? exponent * 10 + *digits - '0' : 1000;
  d->exponent += s[1] == '-' ? -exponent : exponent;
  return digits;
}

static double value_of_decimal (const struct decimal *d) {
  double power = 1, value = (double) d->digits;
  for (int k = d->exponent < 0 ? -d->exponent : d->exponent; k > 0; k--) power *= 10;
  value = d->exponent < 0 ? value / power : value * power;
  return d->negative ? -value : value;
}

double strtod (const char *text, char **end) {
  extern void __lockstep_unsupported_strtod_of_an_unusual_number (void);
  struct decimal d = {0};
  const char *s = skip_space (text);
  if (*s == '-' || *s == '+') d.negative = *s++ == '-';
  if ((s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) || *s == 'i' || *s == 'I' || *s == 'n' || *s == 'N')
    __lockstep_unsupported_strtod_of_an_unusual_number ();
  s = scan_digits (s, &d, 0);
  if (*s == '.') s = scan_digits (s + 1, &d, 1);
  if (d.count) s = scan_exponent (s, &d);
  if (end) *end = (char *) (d.count ? s : text);
  if (d.count > 15 || d.exponent > 22 || d.exponent < -22) __lockstep_unsupported_strtod_of_an_unusual_number ();
  return value_of_decimal (&d);
}

double atof (const char *text) { return strtod (text, NULL); }

static long long scan_decimal (const char *s) {
  s = skip_space (s);
  int negative = *s == '-';
  if (negative || *s == '+') s++;
  unsigned long long value = 0;
  for (; *s >= '0' && *s <= '9'; s++) value = value * 10 + (unsigned) (*s - '0');
  return (long long) (negative ? -value : value);
}

int atoi (const char *text) { return (int) scan_decimal (text); }
long atol (const char *text) { return (long) scan_decimal (text); }
long long atoll (const char *text) { return scan_decimal (text); }

// ---- absolute values and first bits ----------------------------------------------------------------
int abs (int x) { return x < 0 ? -x : x; }
long labs (long x) { return x < 0 ? -x : x; }
long long llabs (long long x) { return x < 0 ? -x : x; }
int ffs (int x) { return x ? __builtin_ctz ((unsigned) x) + 1 : 0; }
int ffsl (long x) { return x ? __builtin_ctzl ((unsigned long) x) + 1 : 0; }
int ffsll (long long x) { return x ? __builtin_ctzll ((unsigned long long) x) + 1 : 0; }

// ---- random numbers: any value from 0 to 2^31 - 1, whatever the seed -------------------------------
int rand (void) { return __lockstep_nondet_int () & 0x7fffffff; }
long random (void) { return __lockstep_nondet_int () & 0x7fffffff; }
long lrand48 (void) { return __lockstep_nondet_int () & 0x7fffffff; }

int rand_r (unsigned *seed) {
  *seed = *seed + 1;  // the state is read and written: two threads sharing it race
  return __lockstep_nondet_int () & 0x7fffffff;
}

void srand (unsigned seed) { (void) seed; }
void srandom (unsigned seed) { (void) seed; }
void srand48 (long seed) { (void) seed; }
