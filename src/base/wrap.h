// Addition and multiplication of signed numbers modulo 2^64, for offsets that the checked program computes: C leaves an
// overflow of signed numbers undefined.
#ifndef LOCKSTEP_WRAP_H
#define LOCKSTEP_WRAP_H

#include <stdint.h>

static inline int64_t wrap_add (int64_t a, int64_t b) { return (int64_t) ((uint64_t) a + (uint64_t) b); }
static inline int64_t wrap_multiply (int64_t a, int64_t b) { return (int64_t) ((uint64_t) a * (uint64_t) b); }

#endif
