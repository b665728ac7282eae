// Executes a machine (efsm.h) point by point on values, and records the schedule that the interpreter replays.  For
// engines whose paths name only threads and inputs: large steps (efsm/fold.h) are executed in their parts, so the
// schedule has every step of the program.
//
//   machine_run w;
//   machine_run_init (&w, &steps, program, &claim);
//   w.input_value = value_at_this_time, w.state = path;
//   vec_push (&w.value, ...), vec_push (&w.at, ...);       // of all variables, of all threads
//   machine_run_step (&w, thread, IR_NONE), machine_run_forget (&w);     // inputs have other values in the next step
//   machine_run_release (&w);
#ifndef LOCKSTEP_ENGINE_MACHINE_RUN_H
#define LOCKSTEP_ENGINE_MACHINE_RUN_H

#include "efsm/fold.h"
#include "encode/evaluate.h"
#include "engine/slots.h"
#include "verdict/verdict.h"

typedef struct machine_run {
  efsm *m;
  const folded *steps;
  const ir_program *program;
  claim *out;
  VEC (ir_value) value;        // by variable of the machine
  VEC (uint32_t) at;           // by thread: its point; IR_NONE: the thread has no point
  evaluator truth;             // values of terms in the current state
  slots slots;
  ir_value (*input_value) (void *state, term);   // value of a variable of the pool that is no variable of the machine
  void *state;
} machine_run;

void machine_run_init (machine_run *, const folded *, const ir_program *, claim *out);
void machine_run_release (machine_run *);
void machine_run_forget (machine_run *);                               // forgets the values of inputs
// Executes one large step, or the part of it up to the point `until`.  A thread that gets stuck inside has no point
// then.
void machine_run_step (machine_run *, uint32_t thread, uint32_t until);
// Adds the first steps of the point to the schedule.
void machine_run_take (machine_run *, uint32_t thread, uint32_t point, uint32_t count);
// the point to which it leads in the current state; IR_NONE: none
uint32_t machine_run_exit (machine_run *, const efsm_point *);
bool machine_run_is_over (const machine_run *);                        // the process has ended
// Claims the violation in the next large step of the thread, after executing the step up to it.
void machine_run_claim (machine_run *, uint32_t thread, const fold_goal *);

#endif
