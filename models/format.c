// sprintf and relatives, done for real: the format is interpreted on the values at hand.
#include "format.h"

void __lockstep_put (struct sink *s, char c) {
  if (s->length + 1 < s->size) s->out[s->length] = c;
  s->length++;
}

void __lockstep_pad (struct sink *s, char c, int count) {
  for (; count > 0; count--) __lockstep_put (s, c);
}

static void put_string (struct sink *s, const struct spec *f, const char *text) {
  int length = 0;
  while ((f->precision < 0 || length < f->precision) && text[length]) length++;
  if (!f->left) __lockstep_pad (s, ' ', f->width - length);
  for (int k = 0; k < length; k++) __lockstep_put (s, text[k]);
  if (f->left) __lockstep_pad (s, ' ', f->width - length);
}

static int to_digits (char *digits, unsigned long long value, unsigned base, char ten) {
  int n = 0;
  for (; value > 0; value /= base) {
    unsigned d = (unsigned) (value % base);
    digits[n++] = (char) (d < 10 ? '0' + d : (unsigned) ten + d - 10);
  }
  return n;
}

static void put_number (struct sink *s, const struct spec *f, unsigned long long value, char conversion, int negative) {
  char digits[24], ten = conversion == 'X' ? 'A' : 'a';
  int is_signed = conversion == 'd' || conversion == 'i';
  int hex = conversion == 'x' || conversion == 'X' || conversion == 'p';
  int n = to_digits (digits, value, hex ? 16 : conversion == 'o' ? 8 : 10, ten);
  char sign = !is_signed ? 0 : negative ? '-' : f->plus ? '+' : f->space ? ' ' : 0;
  int prefix = hex && (f->alternate || conversion == 'p') && (value != 0 || conversion == 'p') ? 2 : 0;
  int zeros = (f->precision < 0 ? 1 : f->precision) - n;
  if (conversion == 'o' && f->alternate && zeros < 1) zeros = 1;
  if (zeros < 0) zeros = 0;
  int blanks = f->width - n - zeros - prefix - (sign != 0);
  if (f->zero && !f->left && f->precision < 0 && blanks > 0) zeros += blanks, blanks = 0;
  if (!f->left) __lockstep_pad (s, ' ', blanks);
  if (sign) __lockstep_put (s, sign);
  if (prefix) __lockstep_put (s, '0'), __lockstep_put (s, conversion == 'X' ? 'X' : 'x');
  __lockstep_pad (s, '0', zeros);
  while (n > 0) __lockstep_put (s, digits[--n]);
  if (f->left) __lockstep_pad (s, ' ', blanks);
}

static const char *read_flags (const char *p, struct spec *f) {
  for (;; p++) switch (*p) {
    case '-': f->left = 1; break;
    case '0': f->zero = 1; break;
    case '+': f->plus = 1; break;
    case ' ': f->space = 1; break;
    case '#': f->alternate = 1; break;
    default: return p;
    }
}

static const char *read_size (const char *p, struct spec *f) {
  f->bytes = sizeof (int);
  for (;; p++) switch (*p) {
    case 'h': f->bytes /= 2; break;
    case 'l': f->bytes = f->bytes == sizeof (int) && p[-1] != 'l' ? sizeof (long) : sizeof (long long); break;
    case 'z':
    case 't': f->bytes = sizeof (size_t); break;
    case 'L': f->long_double = 1;  // and falls through
    case 'j':
    case 'q': f->bytes = sizeof (long long); break;
    default: return p;
    }
}

static unsigned long long cut (unsigned long long value, int bytes) {
  return bytes == 8 ? value : value & ((1ull << 8 * bytes) - 1);
}

// A va_list is an array on some machines: passed on by address it stays one for all of the format.
struct arguments {
  va_list list;
};

// From behind '%' up to the conversion, which is what it returns.
static const char *read_spec (const char *p, struct spec *f, struct arguments *a) {
  p = read_flags (p, f);
  if (*p == '*') {
    f->width = va_arg (a->list, int), p++;
    if (f->width < 0) f->left = 1, f->width = -f->width;
  }
  for (; *p >= '0' && *p <= '9'; p++) f->width = f->width * 10 + (*p - '0');
  if (*p == '.') {
    f->precision = 0;
    if (*++p == '*') f->precision = va_arg (a->list, int), p++;
    for (; *p >= '0' && *p <= '9'; p++) f->precision = f->precision * 10 + (*p - '0');
  }
  return read_size (p, f);
}

static void put_signed (struct sink *s, const struct spec *f, struct arguments *a) {
  long long v = f->bytes == 8 ? va_arg (a->list, long long) : va_arg (a->list, int);
  if (f->bytes < 4) v = f->bytes == 2 ? (short) v : (signed char) v;
  put_number (s, f, v < 0 ? -(unsigned long long) v : (unsigned long long) v, 'd', v < 0);
}

static void put_unsigned (struct sink *s, const struct spec *f, struct arguments *a, char conversion) {
  unsigned long long v = f->bytes == 8 ? va_arg (a->list, unsigned long long) : va_arg (a->list, unsigned);
  put_number (s, f, cut (v, f->bytes), conversion, 0);
}

static void put_character (struct sink *s, const struct spec *f, char c) {
  if (!f->left) __lockstep_pad (s, ' ', f->width - 1);
  __lockstep_put (s, c);
  if (f->left) __lockstep_pad (s, ' ', f->width - 1);
}

static void put_float (struct sink *s, const struct spec *f, struct arguments *a, char conversion) {
  if (f->long_double) __lockstep_put_long_double (s, f, va_arg (a->list, long double), conversion);
  else __lockstep_put_double (s, f, va_arg (a->list, double), conversion);
}

static void put_pointer (struct sink *s, const struct spec *f, const void *pointer) {
  if (pointer) put_number (s, f, (uintptr_t) pointer, 'p', 0);
  else put_string (s, f, "(nil)");
}

static void convert (struct sink *s, const struct spec *f, struct arguments *a, char conversion) {
  switch (conversion) {
  case 'd':
  case 'i': put_signed (s, f, a); break;
  case 'u':
  case 'x':
  case 'X':
  case 'o': put_unsigned (s, f, a, conversion); break;
  case 'p': put_pointer (s, f, va_arg (a->list, void *)); break;
  case 'c': put_character (s, f, (char) va_arg (a->list, int)); break;
  case 's': put_string (s, f, va_arg (a->list, const char *)); break;
  case 'n': *va_arg (a->list, int *) = (int) s->length; break;
  case 'f':
  case 'F':
  case 'e':
  case 'E':
  case 'g':
  case 'G':
  case 'a':
  case 'A': put_float (s, f, a, conversion); break;
  default: __lockstep_put (s, conversion); break;
  }
}

int __lockstep_format (char *out, size_t size, const char *format, va_list given) {
  struct sink s = {out, size, 0};
  struct arguments a;
  va_copy (a.list, given);
  for (const char *p = format; *p; p++) {
    if (*p != '%') {
      __lockstep_put (&s, *p);
      continue;
    }
    struct spec f = {.width = 0, .precision = -1};
    p = read_spec (p + 1, &f, &a);
    if (!*p) break;
    convert (&s, &f, &a, *p);
  }
  va_end (a.list);
  if (size > 0) out[s.length < size ? s.length : size - 1] = 0;
  return (int) s.length;
}

int vsnprintf (char *out, size_t size, const char *format, va_list args) {
  return __lockstep_format (out, size, format, args);
}

int vsprintf (char *out, const char *format, va_list args) {
  return __lockstep_format (out, (size_t) -1, format, args);
}

int sprintf (char *out, const char *format, ...) {
  va_list args;
  va_start (args, format);
  int length = __lockstep_format (out, (size_t) -1, format, args);
  va_end (args);
  return length;
}

int snprintf (char *out, size_t size, const char *format, ...) {
  va_list args;
  va_start (args, format);
  int length = __lockstep_format (out, size, format, args);
  va_end (args);
  return length;
}

int vasprintf (char **out, const char *format, va_list args) {
  int length = __lockstep_format (NULL, 0, format, args);
  *out = __lockstep_malloc ((size_t) length + 1);
  if (!*out) return -1;
  return __lockstep_format (*out, (size_t) length + 1, format, args);
}

int asprintf (char **out, const char *format, ...) {
  va_list args;
  va_start (args, format);
  int length = vasprintf (out, format, args);
  va_end (args);
  return length;
}
