// The system as gates: a latch for each bit of a state, an input for each bit of an input.
#ifndef LOCKSTEP_CIRCUIT_LOWER_H
#define LOCKSTEP_CIRCUIT_LOWER_H

#include "engine/circuit/system.h"
#include "netlist/netlist.h"

typedef struct lowered {
  netlist circuit;             // bad states: 0 the goals that are asked for, 1 the losses; justice property 0: the system's, if it has one; but see lower_by_property
  VEC (uint32_t) latch_of;     // by state of the system: its lowest bit; the others follow
  map input_of;                // term of an input -> its lowest bit; the others follow
  VEC (aig_lit) predicates;    // those of the system
  bool is_exact;               // no operator was met that is not modelled: such a one may have any value
} lowered;

// `asked`: by goal of the system; NULL: none.
void lower (transition_system *, const bool *asked, lowered *);
// A bad state for each property of this set, in their order; then the losses.  Inputs and latches have names.
void lower_by_property (transition_system *, uint32_t properties, lowered *);
extern const char lowered_loss_name[];
void lowered_release (lowered *);
ir_value lowered_input (const lowered *, const net_path *, uint32_t step, term input, unsigned bits);  // 0 if the circuit does not have it
ir_value lowered_start (const lowered *, const net_path *, uint32_t state, unsigned bits);

#endif
