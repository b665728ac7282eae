// Deadlocks in a state of the system (docs/formats/ir.md, "Properties"): the largest set of blocked threads such that
// no thread outside the set can end their waits.
#ifndef LOCKSTEP_CIRCUIT_DEADLOCK_H
#define LOCKSTEP_CIRCUIT_DEADLOCK_H

#include "engine/circuit/transition_system.h"

// Fills `stuck` and adds the goal that some thread is stuck.
void system_add_deadlock (transition_system *, const ir_program *);

#endif
