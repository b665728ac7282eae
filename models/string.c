// Strings: length, copy, concatenation, comparison.  Byte by byte, each byte read once: it may be shared.
#include "intrinsics.h"

typedef unsigned char byte;

extern int tolower (int);

KEPT void __lockstep_read_string (const char *s) {
  while (*s) s++;
}

KEPT void __lockstep_read_string_within (const char *s, int n) {
  for (; n && *s; s++)
    if (n > 0) n--;
}

size_t strlen (const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

size_t strnlen (const char *s, size_t max) {
  size_t n = 0;
  while (n < max && s[n]) n++;
  return n;
}

char *stpcpy (char *to, const char *from) {
  while ((*to = *from++)) to++;
  return to;
}

char *strcpy (char *to, const char *from) {
  stpcpy (to, from);
  return to;
}

char *stpncpy (char *to, const char *from, size_t count) {
  while (count > 0 && (*to = *from++)) to++, count--;
  for (size_t k = 0; k < count; k++) to[k] = 0;
  return to;
}

char *strncpy (char *to, const char *from, size_t count) {
  stpncpy (to, from, count);
  return to;
}

char *strcat (char *to, const char *from) {
  stpcpy (to + strlen (to), from);
  return to;
}

char *strncat (char *to, const char *from, size_t count) {
  char *end = to + strlen (to);
  for (; count > 0 && (*end = *from++); count--) end++;
  if (count == 0) *end = 0;
  return to;
}

int strncmp (const char *a, const char *b, size_t count) {
  for (; count > 0; count--, a++, b++) {
    byte p = *a, q = *b;
    if (p != q) return p - q;
    if (!p) break;
  }
  return 0;
}

int strcmp (const char *a, const char *b) { return strncmp (a, b, (size_t) -1); }
int strcoll (const char *a, const char *b) { return strcmp (a, b); }

int strncasecmp (const char *a, const char *b, size_t count) {
  for (; count > 0; count--, a++, b++) {
    byte p = *a, q = *b;
    int difference = tolower (p) - tolower (q);
    if (difference) return difference;
    if (!p) break;
  }
  return 0;
}

int strcasecmp (const char *a, const char *b) { return strncasecmp (a, b, (size_t) -1); }

char *strndup (const char *s, size_t max) {
  size_t length = strnlen (s, max);
  char *copy = __lockstep_malloc (length + 1);
  if (!copy) return NULL;
  __lockstep_copy_bytes (copy, s, length);
  copy[length] = 0;
  return copy;
}

char *strdup (const char *s) { return strndup (s, (size_t) -1); }

// The text of an error is not modelled; that it is a constant string is.
char *strerror (int error) {
  (void) error;
  return "error";
}

int strerror_r_posix (int error, char *out, size_t size) __asm__("__xpg_strerror_r");
int strerror_r_posix (int error, char *out, size_t size) {
  if (size < sizeof "error") return ERANGE;
  strcpy (out, strerror (error));
  return 0;
}

char *strerror_r (int error, char *out, size_t size) {
  (void) out, (void) size;
  return strerror (error);
}
