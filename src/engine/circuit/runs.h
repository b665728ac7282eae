// Adds to the system the runs of the program that break a formula, as executions on which conditions hold again and
// again (transition_system.justice).
//
//   const char *why;
//   if (!circuit_propositions_make (&l, &system, &why)) ...
//   runs_add (&system, program, &l, fair);
#ifndef LOCKSTEP_CIRCUIT_RUNS_H
#define LOCKSTEP_CIRCUIT_RUNS_H

#include "engine/circuit/circuit_propositions.h"

// The formula has its automaton.
void runs_add (transition_system *, const ir_program *, const circuit_propositions *, bool fair);

#endif
