// What the explanations of the properties share.  Each writes into `why` and `fix`; what it leaves empty is not shown.  They say only
// what can be read off the verdict: the steps of the interleaving, the locks held, the facts of the lock analysis.
#ifndef LOCKSTEP_EXPLAIN_IMPL_H
#define LOCKSTEP_EXPLAIN_IMPL_H

#include "report/report_impl.h"

typedef struct explanation {
  const verdict *verdict;
  const goal *goal;
  arena *arena;                // scratch
  strbuf why, fix;
} explanation;

void explain_race (explanation *);
void explain_deadlock (explanation *);
void explain_misuse (explanation *);
void explain_memory (explanation *);
void explain_assert (explanation *);
void explain_wakeups (explanation *);                 // after the others, if a wait ended without a signal

// ---- explain_trace.c: questions about the interleaving ----
// A thread of the violation, where it stands in the end.
typedef struct party {
  uint32_t thread;
  const char *name;            // the function the thread is in, or was started in
  ir_position pos;
  goal_role role;              // what it is about to do
  uint32_t num_held;
  const char *const *held;     // [0..num_held[, in the arena
} party;
uint32_t explain_parties (const explanation *, const party **);  // how many
bool party_holds (const party *, const char *lock);

// Steps by their index; IR_NONE: there is none.  `before`: only smaller indices.
uint32_t step_by (const goal *, uint32_t before, uint32_t thread, ir_step, const char *object);  // NONE, NULL: any
uint32_t step_by_others (const goal *, uint32_t before, uint32_t thread, ir_step, const char *object);
uint32_t step_taking (const goal *, uint32_t thread, const char *lock);    // where it took the lock that it holds in the end
uint32_t steps_done (const goal *);                // those that were taken: without the ones the threads stand before
bool step_writes (const trace_step *);
bool step_reads (const trace_step *);

const char *place_of (arena *, ir_position);       // "dir/a.c:12"
const char *place_of_step (arena *, const goal *, uint32_t step);   // "dir/a.c:12 (step 7)"

#endif
