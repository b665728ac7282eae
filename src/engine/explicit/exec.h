// A run of one thread: shared by exec.c, exec_memory.c, exec_frame.c and exec_own.c.
#ifndef LOCKSTEP_EXPLICIT_EXEC_H
#define LOCKSTEP_EXPLICIT_EXEC_H

#include "engine/explicit/explicit_impl.h"

// How a run of one thread goes on after an instruction.
typedef enum flow { GO, STOP, THREAD_OVER, EXITED, VIOLATED, INFEASIBLE_PATH, CUT, UNSUPPORTED_OP } flow;

typedef struct run {
  world *w;
  thread *t;
  uint32_t slot;
  const insn *i;
  uint64_t *regs;              // of the top frame
  bool first;                  // the operation the step was scheduled for: executed even if visible
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
static inline void run_refresh (run *r) {  // after the frames have changed
  r->regs = r->t->regs.data + (r->t->frames.count ? vec_last (&r->t->frames).base : 0);
}

// Do others run who could notice what this thread does now?
static inline bool run_watched (const run *r) { return (r->w->running > 1 || !world_is_alone (r->w)) && !r->t->atomic; }
// Should the run stop before this visible instruction?  Once per step the answer is no.
static inline bool run_stopping (const run *r) { return run_watched (r) && !r->first; }
static inline flow run_stop_before (run *r, pending p) {
  r->t->pending = p;
  return STOP;
}

// exec.c
void run_check_atomic_race (run *, const pending *);   // inside an atomic region: looks for races on the way
flow run_cut (run *, const char *why);                 // the execution is not followed further
// exec_memory.c
flow run_memory_violation (run *);
bool run_is_disguised (const run *, const object *);
flow run_stop_at_disguise (run *);
flow run_load (run *);
flow run_store (run *);
flow run_load_raw (run *);
flow run_store_raw (run *);
flow run_rmw (run *);
flow run_cmpxchg (run *);
flow run_alloc (run *);
flow run_free (run *);
flow run_forget (run *);
// exec_own.c
flow run_own (run *);
bool run_intruding (const run *, uint64_t address, uint64_t bytes);  // another thread owns some of these bytes
bool run_sync_intruding (const run *);                 // the same, of what a synchronisation operation accesses
flow run_break_ownership (run *);                      // the violation
uint32_t run_held_by_others (const run *);             // declarations of other threads that hold; count them before an instruction,
flow run_check_owned (run *, flow, uint32_t held_by_others);  // and look after it whether it has changed who owns what
// exec_frame.c
flow run_call (run *);
flow run_return (run *);
flow run_stack_restore (run *);
flow run_end_thread (run *, uint64_t result);

#endif
