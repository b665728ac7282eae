// What a lock state excludes: the trusted locks that are surely held, with histories, and those whose address differs from
// the accessed one by a constant (a lock beside the data it protects), or is found by the same index (element.h).  Two accesses whose guards exclude each other
// cannot be pending at the same time (LOCK theorem 5).
#ifndef LOCKSTEP_LOCKS_GUARD_H
#define LOCKSTEP_LOCKS_GUARD_H

#include "engine/locks/analysis.h"

typedef struct guard_lock { uint32_t use, history; } guard_lock;              // fixed names only
// A lock whose address is known from the accessed one: at a distance; or both are elements with one index, of arrays that are known.
typedef struct guard_beside {
  uint32_t family, reads;
  int64_t distance;            // lock address - accessed address; of elements: of the bases' offsets
  uint32_t lock_base, base;    // fixed values; VALUE_NONE: no elements
  int64_t offset, lock_stride, stride;
} guard_beside;
enum { MOST_BESIDE = 4 };
typedef struct guard {
  uint32_t num_locks, num_beside, facts;
  uint32_t acquired, since;    // as in an effect, fixed names only
  guard_lock locks[MOST_HELD];
  guard_beside beside[MOST_BESIDE];
} guard;

typedef struct guards {
  lock_analysis *analysis;
  intern table;                // guards, without what is unused of their arrays
  map meetings;                // smaller number << 32 | larger -> 1 they may meet, 0 not; times two for the same address
} guards;

void guards_init (guards *, lock_analysis *);
void guards_release (guards *);
uint32_t guard_of (guards *, const effect *state, address accessed);
void guard_load (const guards *, uint32_t number, guard *out);
// May two threads be in such states at once?  `same_address`: if so, they access the same address.
bool guards_meet (guards *, uint32_t a, uint32_t b, bool same_address);
bool guards_beside_alike (const guard_beside *, const guard_beside *);  // they mean the same lock, if the same address is accessed
bool guard_covers (const guards *, const guard *weaker, const guard *stronger);

#endif
