// Names for the states and inputs of the system: `count[3]`, `thread 2 (worker) pc[0]`, `m.owner number[1]`.
//
//   naming n;
//   naming_init (&n, &system);
//   netlist_use_as_latch (circuit, now, reset, name_of_bit (&n, state, bit));
//   naming_release (&n);
//
// A state may be narrower than the variable of the program (efsm/narrow.h): bits that never change are left out, or the
// state is the number of one of a few values.
#ifndef LOCKSTEP_CIRCUIT_NAMES_H
#define LOCKSTEP_CIRCUIT_NAMES_H

#include "encode/evaluate.h"
#include "engine/circuit/transition_system.h"

typedef struct naming {
  const transition_system *s;
  evaluator meaning;
  term now;                    // the variable of the program has this value
  ir_value value;
  map inputs;                  // term -> number in efsm.inputs
} naming;

void naming_init (naming *, const transition_system *);
void naming_release (naming *);

// All names are on the machine's arena.
const char *name_of_state (naming *, uint32_t state);                     // `count`, `main pc`
const char *name_of_bit (naming *, uint32_t state, uint32_t bit);         // `count[3]`
const char *name_of_input (naming *, term);                               // NULL: the input has no name
// The state is the number of one of a few values.
bool state_is_number (naming *, uint32_t state);
// The value that the variable of the program has.
ir_value state_meaning (naming *, uint32_t state, ir_value now);

#endif
