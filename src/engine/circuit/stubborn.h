// Partial-order reduction inside the circuit (paper CIRC, 3 and 4.2): a constraint lets the scheduler choose only threads of a minimal conditional stubborn set.  With lock patterns the sets are smaller: a thread
// in the middle of a transaction is alone in its set.
//
//   transition_system s;
//   system_init (&s, &m, program, properties);
//   stubborn_sets sets;
//   system_reduce (&s, REDUCE_LOCK_PATTERNS, &sets);        // s.constraints has one more
//   ... sets.cstub.data[thread] ...
//   stubborn_sets_release (&sets);
#ifndef LOCKSTEP_CIRCUIT_STUBBORN_H
#define LOCKSTEP_CIRCUIT_STUBBORN_H

#include "engine/circuit/system.h"

typedef enum system_reduction { REDUCE_NOTHING, REDUCE_STUBBORN, REDUCE_LOCK_PATTERNS } system_reduction;

// Gates of each part, beside those of the parts before it.  None has latches: program counters say all that the paper's touch latches would.
typedef struct reduction_sizes { uint32_t enabled, touch_now, touch_later, conflict, closure, minimal, constraint; } reduction_sizes;

typedef struct stubborn_sets {
  uint32_t num_threads, sticky;
  VEC (term) may_move, must_move;  // by thread: some, all inputs let its step happen
  VEC (term) conflict;             // [i * threads + j]: j may be the first to interfere with what i does now
  VEC (term) closure;              // [i * threads + j]: j is in J_i
  VEC (term) cstub;                // by thread: it is in the minimal set
  reduction_sizes sizes;
} stubborn_sets;

void system_reduce (transition_system *, system_reduction, stubborn_sets *);
void stubborn_sets_release (stubborn_sets *);

#endif
