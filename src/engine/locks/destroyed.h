// Destructions of locks after which the lock may be used again.
#ifndef LOCKSTEP_LOCKS_DESTROYED_H
#define LOCKSTEP_LOCKS_DESTROYED_H

#include "engine/locks/analysis.h"

ir_edge destroyed_and_used (const lock_analysis *);  // one such destruction; IR_NONE if there is none

#endif
