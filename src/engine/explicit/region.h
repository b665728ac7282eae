// Atomic regions that may have to wait.
#ifndef LOCKSTEP_EXPLICIT_REGION_H
#define LOCKSTEP_EXPLICIT_REGION_H

#include "ir/ir.h"

// May a thread be blocked inside an atomic region?  Others step then, in the midst of it.
bool region_may_wait (const ir_program *);

#endif
