// `--reach-pair`: can two threads be at the two places at once, as far as locks, creation and joining tell (LOCK section 3)?
#ifndef LOCKSTEP_LOCKS_PAIR_H
#define LOCKSTEP_LOCKS_PAIR_H

#include "engine/engine.h"
#include "engine/locks/analysis.h"

// Adds a goal for each pair of places (a line may be several) that may be reached.  What is left open, in the verdict's arena; NULL: proved
// that it cannot happen.
const char *check_pair (engine_run *, lock_analysis *);

#endif
