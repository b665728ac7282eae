// The program as a transition system over words (paper CIRC, 4.2): a program counter for each thread, the variables of
// the machine, a scheduler that lets one thread at a time take a large step (efsm/fold.h), and the goals that may be
// violated.
//
//   transition_system s;
//   system_init (&s, &m, program, properties);
//   s.states.data[k].next ...
//   system_release (&s);
#ifndef LOCKSTEP_CIRCUIT_TRANSITION_SYSTEM_H
#define LOCKSTEP_CIRCUIT_TRANSITION_SYSTEM_H

#include "efsm/fold.h"

typedef struct system_state {
  term now, next, initial;     // initial TERM_NONE: any value
  uint32_t variable;           // of the machine; IR_NONE for a program counter or a helper
  uint32_t thread;             // of a program counter, else IR_NONE
} system_state;

// A violation that the chosen thread's step may cause; or, for a race or a deadlock, that exists in the current state.
typedef struct system_goal {
  ir_property property;
  term holds;
  uint32_t thread, point, number;              // goal of the machine; of a race: the access
  uint32_t other_thread, other_point, other;   // of a race
} system_goal;

typedef struct system_omission { term holds; const char *what; bool is_cut; ir_edge edge; } system_omission;

// `state` holds the number + 1 of the last thread that changed the state `of`; 0: no thread did.
typedef struct system_writer { uint32_t state, of; } system_writer;

typedef struct transition_system {
  efsm *m;
  folded steps;
  VEC (uint32_t) code;         // by step: the value of its thread's program counter
  VEC (uint32_t) pc;           // by thread: the number of its state; these are the first states
  VEC (system_state) states;
  VEC (uint32_t) state_of;     // by variable of the machine
  term scheduled;              // an input: the thread that takes a step
  VEC (system_goal) goals;
  VEC (system_omission) omissions;
  VEC (term) stuck;            // by thread: it can never step again; empty if deadlocks are not asked for
  VEC (term) constraints;      // must be true at every step of an execution
  VEC (term) moves;            // by thread: it takes its step and does not get stuck
  VEC (term) predicates;       // conditions on states that an invariant may use (circuit_replicas.h)
  VEC (system_writer) writers; // only for proofs about replicated threads (circuit_replicas.h)
  // each of them must hold again and again on the execution that is searched; empty: no such search
  VEC (term) justice;
} transition_system;

static inline uint32_t system_num_threads (const transition_system *s) { return s->m->threads.count; }
unsigned system_bits_for (uint32_t count);                    // bits of a word with at least `count` values
// Returns why the machine is too large for a circuit, or NULL; a client that needs an answer soon asks first.
const char *system_is_too_large (const efsm *);
void system_init (transition_system *, efsm *, const ir_program * /* NULL: not from one */, uint32_t properties);
void system_release (transition_system *);
term system_is_at_step (transition_system *, uint32_t step);  // the thread of this step is before it
term system_goes_on (transition_system *);                   // the process has not ended
// Returns the value of the program counter of a stuck thread.
uint32_t system_stuck_code (const transition_system *, uint32_t thread);
uint32_t system_thread_of_step (const transition_system *, uint32_t step);
// The thread is in an atomic region: no other thread moves.
term system_is_inside (transition_system *, uint32_t thread);
term system_executes (transition_system *, uint32_t thread);  // the paper's execute_i
uint32_t system_chosen (const transition_system *, ir_value scheduled);  // the thread that this value means
// Adds a state that keeps its value until its `next` is set; returns its number.
uint32_t system_add_helper (transition_system *, unsigned bits, uint64_t initial);

#endif
