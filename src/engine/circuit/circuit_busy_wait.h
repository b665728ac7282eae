// Busy waiting: a thread repeats a loop that reads shared variables and changes nothing. This is no deadlock by
// definition, since the thread steps; but while it is possible, the absence of deadlocks is not reported as proved
// (docs/engines/explicit.md says the same of its search).
#ifndef LOCKSTEP_CIRCUIT_BUSY_WAIT_H
#define LOCKSTEP_CIRCUIT_BUSY_WAIT_H

#include "base/budget.h"
#include "engine/circuit/transition_system.h"

// Returns a step at which a thread may wait busily, in some state that need not be reachable; IR_NONE: there is none.
// If the budget is spent, or if there are too many loops, it returns a step that could not be excluded.
uint32_t system_busy_wait_step (transition_system *, const budget *);

#endif
