// The accesses of a program that can take part in a race, each for every kind of thread that may execute it, with the guards
// under which that may happen.
#ifndef LOCKSTEP_LOCKS_ACCESS_H
#define LOCKSTEP_LOCKS_ACCESS_H

#include "engine/locks/creation.h"
#include "engine/locks/element.h"
#include "engine/locks/guard.h"
#include "engine/locks/instance.h"

typedef struct access_guard { uint32_t guard, context, node; } access_guard;  // and a state in which it holds

typedef struct shared_access {
  ir_edge edge;
  uint8_t arg;
  uint32_t kind;               // of thread
  uint32_t bytes;              // UINT32_MAX: the whole object (free)
  bool write, plain;
  bool exact;                  // the address is that of a variable, not of some bytes of it: two overlapping ones are equal
  bool anything;               // points-to has given up
  uint32_t first_guard, num_guards;  // in access_table.guards, the weakest ones only
  uint32_t alike;              // equal for accesses that differ only in where they are
  uint32_t place;              // as exactly_where gave it
  extent extent;               // of a static object, if that is known
} shared_access;

typedef struct access_place { uint32_t object, offset, alike, access; } access_place;  // offset POINTSTO_ANY_OFFSET: unknown

typedef struct access_table {
  lock_analysis *analysis;
  guards guards;
  instances instances;
  creations creations;
  VEC (shared_access) accesses;
  VEC (access_guard) access_guards;
  intern alikes;               // what `alike` numbers
  VEC (access_place) places;   // by object, then offset, then `alike`
  VEC (uint32_t) anywhere;     // accesses that may touch anything
  map cut;                     // objects of which find_races has not looked at all pairs
} access_table;

void access_table_init (access_table *, lock_analysis *);
void access_table_release (access_table *);

#endif
