// The program as a transition system over words (paper CIRC, 4.2): a program counter for each thread, the variables of the machine, a scheduler that lets one
// thread take a large step (efsm/fold.h) at a time, and what may go wrong.
//
//   transition_system s;
//   system_init (&s, &m, program, properties);
//   s.states.data[k].next ...
//   system_release (&s);
#ifndef LOCKSTEP_CIRCUIT_SYSTEM_H
#define LOCKSTEP_CIRCUIT_SYSTEM_H

#include "efsm/fold.h"

typedef struct system_state {
  term now, next, initial;     // initial TERM_NONE: any value
  uint32_t variable;           // of the machine, or IR_NONE: a program counter, or a helper
  uint32_t thread;             // of a program counter, or IR_NONE
} system_state;

// What may go wrong when the chosen thread takes its step; or, a race or a deadlock, when threads stand where they do.
typedef struct system_goal {
  ir_property property;
  term holds;
  uint32_t thread, point, number;              // goal of the machine; of a race: the access
  uint32_t other_thread, other_point, other;   // of a race
} system_goal;

typedef struct system_loss { term holds; const char *what; bool is_cut; ir_edge edge; } system_loss;

typedef struct system_writer { uint32_t state, of; } system_writer;  // a state with the number + 1 of the last thread that changed another one; 0: none

typedef struct transition_system {
  efsm *m;
  folded steps;
  VEC (uint32_t) code;         // by step: how its thread's program counter names it
  VEC (uint32_t) pc;           // by thread: its number in states; the first ones
  VEC (system_state) states;
  VEC (uint32_t) state_of;     // by variable of the machine
  term who;                    // an input: the thread that takes a step
  VEC (system_goal) goals;
  VEC (system_loss) losses;
  VEC (term) stuck;            // by thread: it can never step again; none: deadlocks are not asked for
  VEC (term) constraints;      // hold at every step of an execution that counts
  VEC (term) moves;            // by thread: it takes its step, and goes on behind it
  VEC (term) predicates;       // conditions on states that an invariant may speak of (crowd.h)
  VEC (system_writer) writers; // only for proofs about crowds (crowd.h)
  VEC (term) justice;          // an execution is looked for on which each of them holds again and again; empty: no such question
} transition_system;

const char *system_is_too_large (const efsm *);               // why, or NULL; to be asked by who wants an answer in a short time
void system_init (transition_system *, efsm *, const ir_program * /* NULL: not from one */, uint32_t properties);
void system_release (transition_system *);
term system_stands_at (transition_system *, uint32_t step);  // the thread whose step it is stands there
term system_goes_on (transition_system *);                   // the process has not ended
uint32_t system_stuck_code (const transition_system *, uint32_t thread);  // of its program counter when it stands nowhere
uint32_t system_thread_of_step (const transition_system *, uint32_t step);
term system_is_inside (transition_system *, uint32_t thread);  // it stands in an atomic region: nobody else moves
term system_executes (transition_system *, uint32_t thread);  // the paper's execute_i
uint32_t system_chosen (const transition_system *, ir_value who);  // the thread that this value means
uint32_t system_add_helper (transition_system *, unsigned bits, uint64_t initial);  // a state that keeps its value until its `next` is set; its number

#endif
