// Conditions on memory that a path tests twice: `if (threaded) lock ... if (threaded) unlock`.
#ifndef LOCKSTEP_LOCKS_RETEST_H
#define LOCKSTEP_LOCKS_RETEST_H

#include "engine/locks/lock_walk.h"

// The path to the node finds the same condition true at one place and false at another.  Somebody may have changed what it depends on, but few programs mean that.
bool retest_differs (const lock_walk *, uint32_t node);

#endif
