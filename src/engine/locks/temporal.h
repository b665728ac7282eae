// Single-index LTL\X on one thread's pushdown system (LOCK, sections 3 and 4): `--ltl`.  The language and its meaning are described
// in docs/formats/ltl.md.
#ifndef LOCKSTEP_LOCKS_TEMPORAL_H
#define LOCKSTEP_LOCKS_TEMPORAL_H

#include "analysis/pointsto.h"
#include "engine/engine.h"

// Decides run->task->ltl and adds goals with ids "ltl", "ltl-1", ... to the verdict; sets its kind and reason.
//   PROVED    A: every run of every thread that is meant satisfies the formula
//   VIOLATED  E: no run does (there is nothing to replay, the goal has no schedule)
//   UNKNOWN   a possible counterexample (A) or witness (E), with the run as locations; or the reason why there is no answer
//   BOUNDED   as PROVED, but for what functions without a body might do
void temporal_check (engine_run *, const pointsto *);

#endif
