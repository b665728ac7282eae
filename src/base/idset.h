// Interned sets of small numbers: each set has a number as its name, equal sets have the same name, and IDSET_EMPTY is
// 0. Unions are cached, so the union of the same two sets costs one look-up the second time.
#ifndef LOCKSTEP_IDSET_H
#define LOCKSTEP_IDSET_H

#include "base/intern.h"
#include "base/map.h"

enum { IDSET_EMPTY = 0 };
typedef struct idsets {
  intern table;                // ascending uint32_t each
  map unions;                  // smaller name << 32 | larger name -> name
} idsets;

void idsets_init (idsets *);
void idsets_release (idsets *);
const uint32_t *idset_items (const idsets *, uint32_t set, uint32_t *count);
uint32_t idset_make (idsets *, uint32_t *items, uint32_t count);  // sorts `items` and drops doubles, in place
uint32_t idset_add (idsets *, uint32_t set, uint32_t item);
uint32_t idset_remove (idsets *, uint32_t set, uint32_t item);
uint32_t idset_unite (idsets *, uint32_t a, uint32_t b);
bool idset_has (const idsets *, uint32_t set, uint32_t item);
bool idset_within (const idsets *, uint32_t a, uint32_t b);       // a is a subset of b

#endif
