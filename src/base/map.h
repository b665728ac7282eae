// Hash maps: 64-bit keys to 64-bit values, and strings to 64-bit values.  All zero is empty.
// Iteration order is insertion order, so runs are deterministic.
#ifndef LOCKSTEP_MAP_H
#define LOCKSTEP_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

typedef struct map_entry { uint64_t key, value; } map_entry;
typedef struct map {
  VEC (map_entry) entries;                       // in order of insertion
  uint32_t *slots;                               // [0..num_slots[, entry index + 1, 0 free
  uint32_t num_slots;
} map;

uint64_t *map_find (const map *, uint64_t key);  // NULL if absent; valid until the next insertion
uint64_t *map_insert (map *, uint64_t key, uint64_t value, bool *is_new /* or NULL */);  // keeps an old value
void map_clear (map *);
void map_release (map *);

typedef struct strmap_entry { char *key; uint64_t value; } strmap_entry;
typedef struct strmap {
  VEC (strmap_entry) entries;                    // keys are copies
  uint32_t *slots;
  uint32_t num_slots;
} strmap;

uint64_t *strmap_find (const strmap *, const char *key);
uint64_t *strmap_insert (strmap *, const char *key, uint64_t value, bool *is_new);
void strmap_release (strmap *);

#endif
