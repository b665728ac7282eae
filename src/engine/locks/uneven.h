// Procedures that return with a lock they have taken on some of their paths, and without it on others.  That by itself is no misuse of the lock:
// it is advice, and changes no verdict.
#ifndef LOCKSTEP_LOCKS_UNEVEN_H
#define LOCKSTEP_LOCKS_UNEVEN_H

#include "engine/locks/analysis.h"
#include "verdict/verdict.h"

void add_uneven_returns (verdict *, lock_analysis *);

#endif
