// Symbolic execution of the whole program, thread by thread: loops are unwound, paths that meet are merged, a thread is walked where it
// is started.  The result is the unwound program.
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
  uint32_t unwind;             // rounds of a loop that may end before, and depth of recursion
  const unwindset *unwindset;  // ... of some other ones; NULL: of none
  uint32_t most_threads;       // at least so many are started before the rest is cut
  uint32_t patience;           // rounds of a loop that surely goes on
  uint64_t most_steps;
} walk_options;

// Fills `out`, and adds to what is known about sharing; sharing->grew: it has to be repeated with them.  False: the budget is spent.
bool walk_program (const walk_options *, loops *, sharing *, term_pool *, unwound *out);

#endif
