// Encodings `lazy` and `eager` of the engine: depth after depth, until a bug is found, nothing is left to do, or the budget ends.
#ifndef LOCKSTEP_LAZY_DEPTH_RUN_H
#define LOCKSTEP_LAZY_DEPTH_RUN_H

#include "engine/engine.h"

void depth_run (engine_run *, bool eager);

#endif
