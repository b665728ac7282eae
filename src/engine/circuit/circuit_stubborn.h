// Partial-order reduction inside the circuit (paper CIRC, 3 and 4.2): a constraint lets the scheduler choose only
// threads of a minimal conditional stubborn set. With lock patterns the sets are smaller: a thread in the middle of a
// transaction is the only one in its set.
//
//   transition_system s;
//   system_init (&s, &m, program, properties);
//   stubborn_sets sets;
//   system_reduce (&s, REDUCE_LOCK_PATTERNS, &sets);        // s.constraints has one more
//   ... sets.cstub.data[thread] ...
//   stubborn_sets_release (&sets);
#ifndef LOCKSTEP_CIRCUIT_STUBBORN_H
#define LOCKSTEP_CIRCUIT_STUBBORN_H

#include "engine/circuit/transition_system.h"

typedef enum system_reduction { REDUCE_NOTHING, REDUCE_STUBBORN, REDUCE_LOCK_PATTERNS } system_reduction;

// Gates of each part, in addition to those of the parts before it. No part has latches: the program counters determine
// all that the paper's touch latches store.
typedef struct reduction_sizes {
  uint32_t enabled, touch_now, touch_later, conflict, closure, minimal, constraint;
} reduction_sizes;

typedef struct stubborn_sets {
  uint32_t num_threads, sticky;
  VEC (term) may_move, must_move;  // by thread: its step is possible for some, for all values of the inputs
  VEC (term) conflict;             // [i * threads + j]: j may be the first to interfere with the next step of i
  VEC (term) closure;              // [i * threads + j]: j is in J_i
  VEC (term) cstub;                // by thread: it is in the minimal set
  reduction_sizes sizes;
} stubborn_sets;

void system_reduce (transition_system *, system_reduction, stubborn_sets *);
void stubborn_sets_release (stubborn_sets *);

#endif
