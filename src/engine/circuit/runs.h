// The runs of the program that break a formula, as executions of the system on which something holds again and again (transition_system.justice).
//
//   const char *why;
//   if (!letters_make (&l, &system, &why)) ...
//   runs_add (&system, program, &l, fair);
#ifndef LOCKSTEP_CIRCUIT_RUNS_H
#define LOCKSTEP_CIRCUIT_RUNS_H

#include "engine/circuit/letters.h"

void runs_add (transition_system *, const ir_program *, const letters *, bool fair);   // the formula has its automaton

#endif
