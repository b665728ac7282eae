// Busy waiting: a thread that goes round a loop, looks at what is shared and changes nothing.  No deadlock by definition, since it does step; but who asks for deadlocks must not be
// told that all is well (docs/engines/explicit.md says the same of its search).
#ifndef LOCKSTEP_CIRCUIT_BUSY_H
#define LOCKSTEP_CIRCUIT_BUSY_H

#include "base/budget.h"
#include "engine/circuit/system.h"

// A step at which a thread may wait so, in some state that need not be reachable; IR_NONE: none can.  When the budget is spent, or there are too many loops: one that was not excluded.
uint32_t system_busy_step (transition_system *, const budget *);

#endif
