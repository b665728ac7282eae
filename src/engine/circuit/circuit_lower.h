// Lowers the system to gates: a latch for each bit of a state, an input for each bit of an input.
#ifndef LOCKSTEP_CIRCUIT_LOWER_H
#define LOCKSTEP_CIRCUIT_LOWER_H

#include "engine/circuit/transition_system.h"
#include "netlist/netlist.h"

typedef struct lowered {
  // bad state 0: the requested goals; 1: the omissions; justice property 0: the system's, if it has one; for
  // lower_by_property see there
  netlist circuit;
  VEC (uint32_t) latch_of;     // by state of the system: latch of its lowest bit; the others follow
  map input_of;                // term of an input -> input of its lowest bit; the others follow
  VEC (aig_lit) predicates;    // the predicates of the system
  bool is_exact;               // all operators are modelled exactly; one that is not may have any value
} lowered;

// `asked`: by goal of the system; NULL: none.
void lower_goals (transition_system *, const bool *asked, lowered *);
// Adds a bad state for each property of the set, in their order, and then one for the omissions. Inputs and latches
// have names.
void lower_by_property (transition_system *, uint32_t properties, lowered *);
extern const char lowered_omission_name[];
void lowered_release (lowered *);
// 0 if the circuit does not have the input
ir_value lowered_input (const lowered *, const net_path *, uint32_t step, term input, unsigned bits);
ir_value lowered_start (const lowered *, const net_path *, uint32_t state, unsigned bits);

#endif
