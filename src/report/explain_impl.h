// What the explanations of the properties share.  Each of them writes into `why` and `fix`; a text that stays empty is
// not shown.  They use only what the verdict says: the steps of the interleaving, the locks held, the facts of the lock
// analysis.
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
void explain_wakeups (explanation *);                 // after the other explanations, if a wait ended without a signal

// ---- explain_trace.c: questions about the interleaving ----
// A thread of the violation and its state at the end.
typedef struct party {
  uint32_t thread;
  const char *name;            // the function the thread is in, or was started in
  ir_position pos;
  goal_role role;              // what the thread is about to do
  uint32_t num_held;
  const char *const *held;     // [0..num_held[, in the arena
} party;
uint32_t explain_parties (const explanation *, const party **);  // returns their number
bool party_holds (const party *, const char *lock);

// Steps by their index; IR_NONE: there is none.  `before`: only smaller indices.
// IR_STEP_NONE, NULL: any
uint32_t step_by (const goal *, uint32_t before, uint32_t thread, ir_step, const char *object);
uint32_t step_by_others (const goal *, uint32_t before, uint32_t thread, ir_step, const char *object);
// where it acquired the lock that it holds at the end
uint32_t step_taking (const goal *, uint32_t thread, const char *lock);
// number of executed steps, without those that are about to be executed
uint32_t steps_done (const goal *);
bool step_writes (const trace_step *);
bool step_reads (const trace_step *);

const char *position_text (arena *, ir_position);       // "dir/a.c:12"
const char *place_of_step (arena *, const goal *, uint32_t step);   // "dir/a.c:12 (step 7)"

#endif
