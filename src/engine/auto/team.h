// The engines that search, as processes: explicit, order, circuit and boolean, one after the other or in parallel.  A
// property that one of them has proved is not given to the others.
#ifndef LOCKSTEP_AUTO_TEAM_H
#define LOCKSTEP_AUTO_TEAM_H

#include "engine/auto/worker.h"

void team_search (engine_run *, uint32_t properties);  // fills the verdict for these

#endif
