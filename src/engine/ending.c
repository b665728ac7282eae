// Endings: the only place where an answer about a property becomes "proved".
#include "engine/engine.h"

// The reason for the case that an engine did not notice that its work was cut short.  Otherwise it gives a reason
// itself.
static const reason cut_short = {REASON_ENGINE, "a part of the work was cut short by the limit of time or memory", {0}};

const reason stopped_at_first_bug = {REASON_ENGINE, "stopped at the first bug", {0}};
const reason solver_gave_up = {REASON_ENGINE, "the solver gave up", {0}};

ending ending_bounded (const reason *bound) { return (ending){GOAL_BOUNDED, reason_text (bound), bound}; }
ending ending_unknown (const reason *why) { return (ending){GOAL_UNKNOWN, reason_text (why), why}; }

ending ending_proved (completion evidence, const char *how) {
  return evidence.is_complete ? (ending){GOAL_PROVED, how, NULL} : ending_unknown (&cut_short);
}

ending ending_proved_within (completion evidence, const char *how, const reason *bound) {
  ending e = ending_proved (evidence, how);
  return e.status == GOAL_PROVED && bound ? ending_bounded (bound) : e;
}

ending ending_worse (ending a, ending b) { return b.status > a.status ? b : a; }
