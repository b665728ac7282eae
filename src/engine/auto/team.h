// The engines that search, as processes: explicit, order, circuit and boolean, in turn or side by side.  What one of them proves is settled and not asked of the others.
#ifndef LOCKSTEP_AUTO_TEAM_H
#define LOCKSTEP_AUTO_TEAM_H

#include "engine/auto/worker.h"

void team_search (engine_run *, uint32_t properties);  // fills the verdict for these
bool goal_is_summary (const goal *);                   // of what has become of a property, not a violation

#endif
