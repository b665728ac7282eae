// A machine (efsm.h) executed point by point on values, written down as the schedule that the interpreter replays.  For engines whose paths name threads and inputs only: large steps
// (efsm/fold.h) are passed in their parts, and every step of the program is there.
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
  VEC (uint32_t) at;           // by thread: its point; IR_NONE: nowhere
  evaluator truth;             // of terms now
  slots slots;
  ir_value (*input_value) (void *state, term);   // of a variable of the pool that is none of the machine's
  void *state;
} machine_run;

void machine_run_init (machine_run *, const folded *, const ir_program *, claim *out);
void machine_run_release (machine_run *);
void machine_run_forget (machine_run *);                               // values of inputs
void machine_run_step (machine_run *, uint32_t thread, uint32_t until);  // one large step, or up to the point `until`.  Who gets stuck inside stands nowhere
void machine_run_take (machine_run *, uint32_t thread, uint32_t point, uint32_t count);  // the first steps of the point, into the schedule
uint32_t machine_run_exit (machine_run *, const efsm_point *);         // the point where it leads to now; IR_NONE: nowhere
bool machine_run_is_over (const machine_run *);                        // the process has ended
void machine_run_claim (machine_run *, uint32_t thread, const fold_goal *);  // what the next large step of the thread does wrong: goes there and claims it

#endif
