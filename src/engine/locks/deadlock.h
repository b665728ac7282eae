// Cycles of threads that wait for each other's locks, or for each other's end (LOCK section 6).
#ifndef LOCKSTEP_LOCKS_DEADLOCK_H
#define LOCKSTEP_LOCKS_DEADLOCK_H

#include "engine/locks/guard.h"

// A thread of this kind, in a state that holds something, stands before an operation that may wait, or has ended.
typedef struct waiting_state {
  uint32_t kind, context, node;
  ir_edge edge;
  uint32_t wants;              // lock_use; IR_NONE: the end of a thread, or (ended) nothing
  bool ended;
  uint32_t guard;              // what excludes it
  uint32_t first_held, num_held;  // lock_use each, in deadlocks.held: what it may hold
} waiting_state;

enum { LONGEST_CYCLE = 16 };
typedef struct possible_deadlock { uint32_t length, at[LONGEST_CYCLE]; } possible_deadlock;  // waiting_states, each waits for the next

typedef struct deadlocks {
  lock_analysis *analysis;
  guards *guards;
  VEC (waiting_state) states;
  intern known;                // what makes states different
  VEC (uint32_t) held;
  VEC (possible_deadlock) found;
  const char *uncovered;       // a kind of waiting that is not covered, or NULL
  ir_edge uncovered_at;
  bool first_is_known;         // the first thread may have told others its handle
  bool spent;                  // not all cycles were looked at
} deadlocks;

void deadlocks_init (deadlocks *, lock_analysis *, guards *, const budget *);  // finds them
void deadlocks_release (deadlocks *);
bool deadlocks_joinable (const deadlocks *, const waiting_state *);  // somebody may wait for its end

#endif
