// Locks used wrongly: taken twice, given back without being held, kept when a thread ends, destroyed while in use.
#ifndef LOCKSTEP_LOCKS_MISUSE_H
#define LOCKSTEP_LOCKS_MISUSE_H

#include "engine/locks/analysis.h"

typedef struct possible_misuse {
  ir_edge edge;
  uint32_t kind, context, node;  // a state in which it may happen
  uint32_t use;                  // the lock
  const char *what;              // "relock of `%s`", ...
} possible_misuse;

typedef struct misuses {
  VEC (possible_misuse) found;   // one per edge
  const char *uncovered;         // what was not looked at, or NULL
  ir_edge uncovered_at;
} misuses;

void misuses_init (misuses *, lock_analysis *);
void misuses_release (misuses *);

#endif
