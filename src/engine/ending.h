// What is known of a property apart from the violations that were found.  An engine says so with an `ending`, and a
// proved ending needs evidence that no computation was cut short by time, memory or a signal (base/budget.h):
//
//   engine_summarise (run, ending_proved (budget_completion (run->budget), "all reachable states were searched"));
//
// Endings become answers of the verdict, from which its kind is computed (verdict/kind.c).  `make test` checks that no
// other file writes GOAL_PROVED (tests/harness/structure.py).
#ifndef LOCKSTEP_ENGINE_ENDING_H
#define LOCKSTEP_ENGINE_ENDING_H

#include "verdict/verdict.h"

typedef struct ending {
  goal_status status;
  const char *message;         // for people: how it was proved, the bound, or why nothing is known
  const reason *why;           // PROVED: NULL
} ending;

ending ending_proved (completion, const char *how);      // unknown if the evidence is missing
ending ending_bounded (const reason *bound);
ending ending_unknown (const reason *);
// Proved; bounded if there is a bound.
ending ending_proved_within (completion, const char *how, const reason *bound /* or NULL */);
ending ending_worse (ending, ending);                    // the one that says less

#endif
