// memcpy, memset and relatives.  Copies keep undefined bytes undefined (padding, parts never set).  They go eight
// bytes at a time where both sides are aligned: fewer steps, and a copied pointer is never seen half.
#include "intrinsics.h"

typedef unsigned char byte;

void __lockstep_copy_bytes (void *to, const void *from, size_t count) {
  byte *t = to;
  const byte *f = from;
  if ((((uintptr_t) t | (uintptr_t) f) & 7) == 0)
    for (; count >= 8; count -= 8, t += 8, f += 8) __lockstep_copy8 (t, f);
  if ((((uintptr_t) t | (uintptr_t) f) & 3) == 0)
    for (; count >= 4; count -= 4, t += 4, f += 4) __lockstep_copy4 (t, f);
  for (; count > 0; count--, t++, f++) __lockstep_copy1 (t, f);
}

static void copy_backwards (byte *t, const byte *f, size_t count) {
  int aligned = (((uintptr_t) t | (uintptr_t) f) & 7) == 0;
  while (count % 8 != 0 || (count > 0 && !aligned)) count--, __lockstep_copy1 (t + count, f + count);
  while (count > 0) count -= 8, __lockstep_copy8 (t + count, f + count);
}

void __lockstep_any_bytes (void *to, size_t count) {
  unsigned long long any;  // never set: copying it makes the target undefined
  byte *t = to;
  if (((uintptr_t) t & 7) == 0)
    for (; count >= 8; count -= 8, t += 8) __lockstep_copy8 (t, &any);
  if (((uintptr_t) t & 3) == 0)
    for (; count >= 4; count -= 4, t += 4) __lockstep_copy4 (t, &any);
  for (; count > 0; count--, t++) __lockstep_copy1 (t, &any);
}

// The same for --property=uninit: any value, but one that was written.
KEPT void __lockstep_input_bytes (void *to, size_t count) {
  byte *t = to;
  if (((uintptr_t) t & 7) == 0)
    for (; count >= 8; count -= 8, t += 8) *(unsigned long *) t = (unsigned long) __lockstep_nondet_long ();
  for (; count > 0; count--, t++) *t = __lockstep_nondet_uchar ();
}

// memcpy onto itself is undefined in C as well, but compilers emit it for `*p = *q`.
static void check_apart (const void *to, const void *from, size_t count) {
  uintptr_t t = (uintptr_t) to, f = (uintptr_t) from;
  __lockstep_check_memory (t == f || (t - f >= count && f - t >= count), "memcpy between places that overlap");
}

KEPT void *memcpy (void *to, const void *from, size_t count) {
  check_apart (to, from, count);
  __lockstep_copy_bytes (to, from, count);
  return to;
}

void *mempcpy (void *to, const void *from, size_t count) {
  check_apart (to, from, count);
  __lockstep_copy_bytes (to, from, count);
  return (byte *) to + count;
}

KEPT void *memmove (void *to, const void *from, size_t count) {
  // Pointers into different objects may be compared here: either direction is right for them.
  if ((uintptr_t) to <= (uintptr_t) from) __lockstep_copy_bytes (to, from, count);
  else copy_backwards (to, from, count);
  return to;
}

void bcopy (const void *from, void *to, size_t count) { memmove (to, from, count); }

KEPT void *memset (void *to, int value, size_t count) {
  byte *t = to;
  unsigned long long wide = (byte) value * 0x0101010101010101ull;
  if (((uintptr_t) t & 7) == 0)
    for (; count >= 8; count -= 8, t += 8) *(unsigned long long *) t = wide;
  if (((uintptr_t) t & 3) == 0)
    for (; count >= 4; count -= 4, t += 4) *(unsigned *) t = (unsigned) wide;
  for (; count > 0; count--, t++) *t = (byte) value;
  return to;
}

void bzero (void *to, size_t count) { memset (to, 0, count); }
void explicit_bzero (void *to, size_t count) { memset (to, 0, count); }

int memcmp (const void *a, const void *b, size_t count) {
  const byte *x = a, *y = b;
  for (; count > 0; count--, x++, y++) {
    byte p = *x, q = *y;  // each read once: they may be shared
    if (p != q) return p - q;
  }
  return 0;
}

int bcmp (const void *a, const void *b, size_t count) { return memcmp (a, b, count); }

void *memchr (const void *in, int value, size_t count) {
  for (const byte *p = in; count > 0; count--, p++)
    if (*p == (byte) value) return (void *) p;
  return NULL;
}

void *memrchr (const void *in, int value, size_t count) {
  const byte *p = in;
  while (count > 0)
    if (p[--count] == (byte) value) return (void *) (p + count);
  return NULL;
}

void *memmem (const void *in, size_t count, const void *part, size_t length) {
  for (const byte *p = in; count >= length; count--, p++)
    if (memcmp (p, part, length) == 0) return (void *) p;
  return NULL;
}
