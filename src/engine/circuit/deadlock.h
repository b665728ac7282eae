// Deadlocks in a state of the system (docs/formats/ir.md, "Properties"): the largest set of threads that are blocked and that nobody outside the set can set free.
#ifndef LOCKSTEP_CIRCUIT_DEADLOCK_H
#define LOCKSTEP_CIRCUIT_DEADLOCK_H

#include "engine/circuit/system.h"

void system_add_deadlock (transition_system *, const ir_program *);  // fills `stuck` and adds the goal that some thread is

#endif
