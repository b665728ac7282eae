// Execution of one thread, shared by exec.c, exec_memory.c, exec_frame.c and exec_own.c.
#ifndef LOCKSTEP_EXPLICIT_EXEC_H
#define LOCKSTEP_EXPLICIT_EXEC_H

#include "engine/explicit/explicit_impl.h"

// What follows an instruction: the next one, a pause (STOP), the end of the thread or of the execution.
typedef enum step_continuation {
  GO, STOP, THREAD_OVER, EXITED, VIOLATED, INFEASIBLE_PATH, CUT, UNSUPPORTED_OP
} step_continuation;

typedef struct run {
  current_state *w;
  state_thread *t;
  uint32_t slot;
  const insn *i;
  uint64_t *regs;              // registers of the top frame
  bool first;                  // at the operation that the step was scheduled for: it is executed even if visible
} run;

static inline uint64_t run_mask (unsigned bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }
static inline int64_t run_signed (uint64_t x, unsigned bits) { return (int64_t) (x << (64 - bits)) >> (64 - bits); }

static inline uint64_t run_get (const run *r, operand x) {
  return x & CONST_BIT ? r->w->code->constants.data[x & ~CONST_BIT] : r->regs[x];
}
static inline ir_value run_get_wide (const run *r, operand x, unsigned bits) {
  ir_value value = run_get (r, x);
  return bits > 64 ? value | (ir_value) run_get (r, x + 1) << 64 : value;
}
static inline void run_set_wide (run *r, uint32_t slot, ir_value value, unsigned bits) {
  r->regs[slot] = (uint64_t) value;
  if (bits > 64) r->regs[slot + 1] = (uint64_t) (value >> 64);
}
static inline void run_refresh (run *r) {  // call after the frames have changed
  r->regs = r->t->regs.data + (r->t->frames.count ? vec_last (&r->t->frames).base : 0);
}

// Returns whether other threads could notice what this thread does now.
static inline bool run_watched (const run *r) {
  return (r->w->running > 1 || !xs_state_is_only_thread (r->w)) && !r->t->atomic;
}
// Returns whether the step should stop before this visible instruction; false for the first one of the step.
static inline bool run_stopping (const run *r) { return run_watched (r) && !r->first; }
static inline step_continuation run_stop_before (run *r, next_access p) {
  r->t->pending = p;
  return STOP;
}

// exec.c
void run_check_atomic_race (run *, const next_access *);   // inside an atomic region: detects races of this access
step_continuation run_cut (run *, const char *why);                 // ends the execution at a bound
// exec_memory.c
step_continuation run_memory_violation (run *);
bool run_is_disguised (const run *, const state_object *);
step_continuation run_stop_at_disguise (run *);
step_continuation run_load (run *);
step_continuation run_store (run *);
step_continuation run_load_raw (run *);
step_continuation run_store_raw (run *);
step_continuation run_rmw (run *);
step_continuation run_cmpxchg (run *);
step_continuation run_alloc (run *);
step_continuation run_free (run *);
step_continuation run_forget (run *);
// exec_own.c
step_continuation run_own (run *);
// Returns whether another thread owns some of these bytes
bool run_intruding (const run *, uint64_t address, uint64_t bytes);
bool run_sync_intruding (const run *);                 // the same for what a synchronisation operation accesses
step_continuation run_break_ownership (run *);                      // reports the violation
// number of declarations of other threads that hold; call it before an instruction,
uint32_t run_held_by_others (const run *);
// and this afterwards: it checks whether the instruction has changed ownership
step_continuation run_check_owned (run *, step_continuation, uint32_t held_by_others);
// exec_frame.c
step_continuation run_call (run *);
step_continuation run_return (run *);
step_continuation run_stack_restore (run *);
step_continuation run_end_thread (run *, uint64_t result);

#endif
