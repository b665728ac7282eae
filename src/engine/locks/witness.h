// What people need to judge a possible violation: of each thread its kind, call stack and held locks with their acquisition histories,
// and an interleaving of all that the locks allow.
#ifndef LOCKSTEP_LOCKS_WITNESS_H
#define LOCKSTEP_LOCKS_WITNESS_H

#include "engine/engine.h"
#include "engine/locks/path.h"

typedef struct witness_side {
  thread_place place;
  ir_edge edge;                // it stands before
  const char *op, *object;     // as in a trace: "store", "x"
  const char *what;            // "write of `x`"
} witness_side;

typedef struct witnesses {
  lock_analysis *analysis;
  verdict *verdict;
  path_finder finder;
  uint32_t num_steps;          // of all interleavings so far
} witnesses;

void witnesses_init (witnesses *, lock_analysis *, verdict *);
void witnesses_release (witnesses *);
void witness_add (witnesses *, goal *, const witness_side *, uint32_t count);  // sides, locations, claim; steps, or why there are none

#endif
