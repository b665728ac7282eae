// Endings: the only place where a goal becomes "proved" and a verdict "safe".
#include "engine/ending.h"

// The engine has the reason why it stopped where it noticed; this one is for the case that it did not notice.
static const char *const cut_short = "a part of the work was cut short by the limit of time or memory";

ending ending_proved (completion evidence, const char *how) {
  return evidence.is_complete ? (ending){GOAL_PROVED, how} : (ending){GOAL_UNKNOWN, cut_short};
}

ending ending_bounded (const char *bound) { return (ending){GOAL_BOUNDED, bound}; }
ending ending_unknown (const char *reason) { return (ending){GOAL_UNKNOWN, reason}; }

ending ending_proved_within (completion evidence, const char *how, const char *bound) {
  ending e = ending_proved (evidence, how);
  return e.status == GOAL_PROVED && bound ? ending_bounded (bound) : e;
}

ending ending_worse (ending a, ending b) { return b.status > a.status ? b : a; }

verdict_kind ending_kind (uint64_t bugs, ending worst) {
  return bugs                           ? VERDICT_BUG
         : worst.status == GOAL_PROVED  ? VERDICT_SAFE
         : worst.status == GOAL_BOUNDED ? VERDICT_BOUNDED
                                        : VERDICT_UNKNOWN;
}

verdict_kind ending_kind_of_goals (const verdict *v, uint32_t properties) {
  uint32_t proved = 0;
  for (uint32_t k = 0; k < v->goals.count; k++) {
    if (v->goals.data[k].status == GOAL_VIOLATED) return VERDICT_BUG;
    if (v->goals.data[k].status == GOAL_PROVED) proved |= 1u << v->goals.data[k].property;
  }
  return properties & ~proved ? VERDICT_UNKNOWN : VERDICT_SAFE;
}
