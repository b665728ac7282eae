// Pairs of conflicting accesses that may be pending at once, as far as locks, creation and joining tell (LOCK section 5).
#ifndef LOCKSTEP_LOCKS_RACE_H
#define LOCKSTEP_LOCKS_RACE_H

#include "engine/locks/access.h"

typedef struct possible_race {
  uint32_t access[2];          // in access_table.accesses
  uint32_t guard[2];           // in access_table.access_guards: states in which they may meet
  uint32_t object, offset;     // the place
} possible_race;
typedef VEC (possible_race) possible_races;

// One per pair of edges.  False: the time was spent before all were looked at.
// All are found; or the first ones of each object, of some not all; or the time was spent before.
typedef enum race_hunt { RACES_ALL, RACES_MORE, RACES_SPENT } race_hunt;
race_hunt find_races (access_table *, const budget *, possible_races *out);

#endif
