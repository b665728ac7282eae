// Interning: equal byte strings get equal numbers 0, 1, 2, ... in the order they are first seen.  All zero is empty.
#ifndef LOCKSTEP_INTERN_H
#define LOCKSTEP_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

typedef struct intern_entry { uint32_t bytes, hash; } intern_entry;
typedef struct intern {
  VEC (intern_entry) entries;  // [0..count[
  struct arena *arena;         // holds the bytes, 16-byte aligned: they never move
  VEC (const void *) at;       // [0..entries.count[
  uint32_t *slots;             // [0..num_slots[, entry + 1, 0 free
  uint32_t num_slots;
} intern;

uint32_t intern_add (intern *, const void *bytes, size_t count, bool *is_new /* or NULL */);
const void *intern_get (const intern *, uint32_t number, size_t *count /* or NULL */);  // stays valid
static inline uint32_t intern_count (const intern *t) { return t->entries.count; }
void intern_release (intern *);

#endif
