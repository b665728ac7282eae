// sscanf, done for real: the format is interpreted on the text at hand.  What a stream holds is unknown (input.c), but
// a text is not, and a value that cannot stand in it would make a false bug.  Where C leaves the result undefined
// (numbers that are too large, characters that are too few for %5c) it is glibc's.
#include "scan.h"

extern double strtod (const char *, char **);

enum outcome { CONVERTED, MISMATCH, AT_END };
enum { LONGEST_FLOAT = 63 };

static int is_space (char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static const char *skip_spaces (const char *s) {
  while (is_space (*s)) s++;
  return s;
}

static void store (void *to, size_t bytes, unsigned long long value) {
  if (!to) return;
  if (bytes == 1) *(unsigned char *) to = (unsigned char) value;
  else if (bytes == 2) *(unsigned short *) to = (unsigned short) value;
  else if (bytes == 4) *(unsigned *) to = (unsigned) value;
  else *(unsigned long long *) to = value;
}

// ---- numbers ---------------------------------------------------------------------------------------
static unsigned value_of_digit (char c) {
  if (c >= '0' && c <= '9') return (unsigned) (c - '0');
  if (c >= 'a' && c <= 'f') return (unsigned) (c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return (unsigned) (c - 'A') + 10;
  return 99;
}

static unsigned base_of (char kind) {
  return kind == 'i' ? 0 : kind == 'o' ? 8 : kind == 'x' || kind == 'X' || kind == 'p' ? 16 : 10;
}

// The digits from `s` up to `end`; the largest value if there are too many.
static unsigned long long magnitude_of (const char **s, const char *end, unsigned base) {
  unsigned long long value = 0;
  int too_large = 0;
  for (; *s < end && value_of_digit (**s) < base; ++*s) {
    too_large |= __builtin_mul_overflow (value, (unsigned long long) base, &value);
    too_large |= __builtin_add_overflow (value, (unsigned long long) value_of_digit (**s), &value);
  }
  return too_large ? ~0ull : value;
}

static enum outcome scan_integer (const char **text, const struct conversion *c, void *to) {
  const char *s = *text, *end = s;
  for (int most = c->width ? c->width : 64; most > 0 && *end && !is_space (*end); most--) end++;
  int negative = s < end && *s == '-';
  if (s < end && (*s == '-' || *s == '+')) s++;
  unsigned base = base_of (c->kind);
  int hex = (base == 0 || base == 16) && s + 1 < end && s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
  if (hex) s += 2, base = 16;
  if (base == 0) base = s < end && *s == '0' ? 8 : 10;
  const char *first = s;
  unsigned long long value = magnitude_of (&s, end, base), most = ~0ull >> 1;
  *text = s;
  if (s == first) return MISMATCH;
  if ((c->kind == 'd' || c->kind == 'i') && value > most) value = most + (unsigned) negative;
  store (to, c->bytes, negative ? -value : value);
  return CONVERTED;
}

static enum outcome scan_float (const char **text, const struct conversion *c, void *to) {
  char copy[LONGEST_FLOAT + 1];
  int n = 0;
  for (int most = c->width && c->width < LONGEST_FLOAT ? c->width : LONGEST_FLOAT; n < most && (*text)[n]; n++)
    copy[n] = (*text)[n];
  copy[n] = 0;
  char *end;
  double value = strtod (copy, &end);
  *text += end - copy;
  if (end == copy || *end == 'e' || *end == 'E') return MISMATCH;  // "1e" is a number for strtod only
  if (!to) return CONVERTED;
  if (c->bytes == sizeof (float)) *(float *) to = (float) value;
  else if (c->bytes == sizeof (double)) *(double *) to = value;
  else *(long double *) to = value;
  return CONVERTED;
}

// ---- characters ------------------------------------------------------------------------------------
// `set` stands at '['.
static int is_in_set (const char *set, char c) {
  int negated = set[1] == '^', found = 0;
  const char *first = set + 1 + negated;
  for (const char *p = first; *p && (*p != ']' || p == first); p++)
    if (p[1] == '-' && p[2] && p[2] != ']') {
      found |= (unsigned char) c >= (unsigned char) p[0] && (unsigned char) c <= (unsigned char) p[2];
      p += 2;
    } else {
      found |= c == *p;
    }
  return found != negated;
}

static enum outcome scan_characters (const char **text, const struct conversion *c, const char *set, char *to) {
  int most = c->width ? c->width : c->kind == 'c' ? 1 : 0x7fffffff, n = 0;
  for (; n < most && **text; n++, ++*text) {
    if (c->kind == 's' && is_space (**text)) break;
    if (c->kind == '[' && !is_in_set (set, **text)) break;
    if (to) to[n] = **text;
  }
  if (!n) return MISMATCH;
  if (to && c->kind != 'c') to[n] = 0;
  return CONVERTED;
}

// ---- the format ------------------------------------------------------------------------------------
static enum outcome convert (const char **text, const struct conversion *c, const char *set, void *to) {
  extern void __lockstep_unsupported_this_conversion_of_sscanf (void);
  if (c->kind != 'c' && c->kind != '[') *text = skip_spaces (*text);
  if (!**text) return AT_END;
  switch (c->kind) {
  case 'd':
  case 'i':
  case 'o':
  case 'u':
  case 'x':
  case 'X':
  case 'p': return scan_integer (text, c, to);
  case 'a':
  case 'e':
  case 'E':
  case 'f':
  case 'g':
  case 'G': return scan_float (text, c, to);
  case 'c':
  case 's':
  case '[': return scan_characters (text, c, set, to);
  default: __lockstep_unsupported_this_conversion_of_sscanf (); return MISMATCH;
  }
}

// A character of the format that stands for itself, or for any white space.
static enum outcome match (const char **text, char c) {
  if (is_space (c)) {
    *text = skip_spaces (*text);
    return CONVERTED;
  }
  if (!**text) return AT_END;
  if (**text != c) return MISMATCH;
  ++*text;
  return CONVERTED;
}

int vsscanf (const char *text, const char *format, va_list args) {
  const char *s = text;
  int count = 0;
  for (const char *p = format; *p; p++) {
    enum outcome o;
    struct conversion c = {.skipped = 1};
    if (*p != '%') {
      o = match (&s, *p);
    } else if (*++p == '%') {
      s = skip_spaces (s);
      o = match (&s, '%');
    } else {
      const char *last = __lockstep_read_conversion (p, &c), *set = p;
      while (c.kind == '[' && *set != '[') set++;
      void *to = c.skipped ? NULL : va_arg (args, void *);
      p = last;
      if (!*p) break;
      if (c.kind == 'n') {
        store (to, c.bytes, (unsigned long long) (s - text));
        continue;
      }
      o = convert (&s, &c, set, to);
    }
    if (o != CONVERTED) return o == AT_END && count == 0 ? -1 : count;
    count += !c.skipped;
  }
  return count;
}

int sscanf (const char *text, const char *format, ...) {
  va_list args;
  va_start (args, format);
  int count = vsscanf (text, format, args);
  va_end (args);
  return count;
}

int __isoc99_sscanf (const char *, const char *, ...) __attribute__ ((alias ("sscanf")));
int __isoc23_sscanf (const char *, const char *, ...) __attribute__ ((alias ("sscanf")));
