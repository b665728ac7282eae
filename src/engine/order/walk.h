// Symbolic execution of the whole program, thread by thread: loops are unwound, paths that reach the same location are
// merged, and a thread is executed at the point that starts it. The result is the unwound program. One such execution
// is called a walk.
#ifndef LOCKSTEP_ORDER_WALK_H
#define LOCKSTEP_ORDER_WALK_H

#include "base/budget.h"
#include "engine/order/sharing.h"
#include "engine/order/loops.h"
#include "engine/order/unwindset.h"
#include "engine/order/unwound.h"
#include "verdict/verdict.h"

typedef struct walk_options {
  const ir_program *program;
  const semantics *semantics;
  const budget *budget;
  uint32_t unwind;             // iterations of a loop that may end earlier, and depth of recursion
  const unwindset *unwindset;  // of single loops and functions; NULL: none
  uint32_t most_threads;       // at least this number of threads is started before further ones are cut
  uint32_t iteration_limit;           // iterations of a loop that must go on
  uint64_t most_steps;
} walk_options;

// Fills `out`, and adds to the facts about sharing; sharing->grew: the walk has to be repeated with these. False: the
// budget is spent.
bool walk_program (const walk_options *, loop_nesting *, sharing *, term_pool *, unwound *out);

#endif
