// Atomic regions that may block.
#ifndef LOCKSTEP_EXPLICIT_REGION_H
#define LOCKSTEP_EXPLICIT_REGION_H

#include "ir/ir.h"

// Returns whether a thread may be blocked inside an atomic region; other threads then step in the middle of the region.
bool region_may_wait (const ir_program *);

#endif
