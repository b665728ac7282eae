// How a property was left that nothing was found to violate.  An engine says so with an `ending`, and one that says "proved" can only be made
// from evidence that no computation was cut short by time, memory or a signal (base/budget.h):
//
//   engine_summarise (run, ending_proved (budget_completion (run->budget), "all reachable states were searched"));
//
// `make test` looks that no other file writes GOAL_PROVED or VERDICT_SAFE (tests/harness/structure.py).
#ifndef LOCKSTEP_ENGINE_ENDING_H
#define LOCKSTEP_ENGINE_ENDING_H

#include "verdict/verdict.h"

typedef struct ending { goal_status status; const char *message; } ending;

ending ending_proved (completion, const char *how);      // unknown where the evidence is missing
ending ending_bounded (const char *bound);
ending ending_unknown (const char *reason);
// Proved, or bounded if there is a bound.
ending ending_proved_within (completion, const char *how, const char *bound /* or NULL */);
ending ending_worse (ending, ending);                    // of two the one that says less

verdict_kind ending_kind (uint64_t bugs, ending worst);  // of a verdict with so many bugs whose properties without bugs were left so
// Of what the goals say: a bug if there is one, safe if each of these properties has a goal that is proved, unknown otherwise.
verdict_kind ending_kind_of_goals (const verdict *, uint32_t properties);

#endif
