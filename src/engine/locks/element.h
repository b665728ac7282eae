// Addresses of the form array + index * stride, with an index that is not known: elements of arrays.
#ifndef LOCKSTEP_LOCKS_ELEMENT_H
#define LOCKSTEP_LOCKS_ELEMENT_H

#include "engine/locks/value.h"

typedef struct element {
  bool yes;
  value base;                  // fixed
  value index;                 // not fixed
  int64_t offset, stride;      // base + offset + index * stride
} element;

element element_of (values_table *, address);
// If base + index * stride is the same for two indices, index * lock_stride is the same as well.
bool element_tells (const values_table *, element accessed, int64_t lock_stride);

// Bytes of a static object that an access may touch, and what they are elements of.
typedef struct extent {
  bool known;
  uint32_t object, low, high;  // [low..high[
  uint32_t stride;             // of the array that they make up; 0: one access at a fixed place
} extent;

extent element_extent (values_table *, address, uint32_t bytes);
bool extents_apart (const ir_program *, const extent *, const extent *);

#endif
