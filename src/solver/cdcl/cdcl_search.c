// The search: decide, propagate, learn from conflicts, until all variables have values or the clauses contradict each
// other.
#include "solver/cdcl/cdcl_impl.h"

enum { STEPS_BETWEEN_LOOKS_AT_BUDGET = 64 };
typedef enum search_step_result { STEP_TAKEN, STEP_MODEL, STEP_FAILED } search_step_result;

void cdcl_contradiction (cdcl *s) {
  if (s->has_contradiction) return;
  s->has_contradiction = true;
  proof_add (s, NULL, 0);
}

static bool stopping (cdcl *s) {
  if (s->patience--) return false;
  s->patience = STEPS_BETWEEN_LOOKS_AT_BUDGET;
  return budget_spent (s->budget) != NULL;
}

// An assumption that is true already opens an empty level, so that level i always belongs to assumption i.
static search_step_result assume_next (cdcl *s) {
  lit l = s->assumptions.data[cdcl_current_level (s)];
  if (s->values[l] < 0) {
    cdcl_find_core (s, l);
    return STEP_FAILED;
  }
  vec_push (&s->levels, s->trail.count);
  if (!s->values[l]) cdcl_assign (s, l, NO_CLAUSE);
  return STEP_TAKEN;
}

static search_step_result take_search_step (cdcl *s) {
  if (cdcl_current_level (s) < s->assumptions.count) return assume_next (s);
  if (s->trail.count == s->num_vars) return cdcl_accepts (s) ? STEP_MODEL : STEP_TAKEN;
  hook_decision by_hook = s->has_hooks ? cdcl_decide_by_hook (s) : HOOK_IS_SILENT;
  if (by_hook != HOOK_IS_SILENT) return by_hook == HOOK_HAS_ENOUGH ? STEP_MODEL : STEP_TAKEN;
  CHECK (cdcl_decide (s), "the heap should have all variables without a value");
  return STEP_TAKEN;
}

sat_answer cdcl_search (cdcl *s, uint64_t last_conflict) {
  for (;;) {
    cref conflict = cdcl_propagate_all (s);
    if (conflict && cdcl_current_level (s)) {
      cdcl_learn (s, conflict);
      if (s->counters.conflicts >= last_conflict) return SAT_STOPPED;
      continue;
    }
    if (conflict) cdcl_contradiction (s);
    if (s->has_contradiction) return SAT_NO;
    if (stopping (s)) return SAT_STOPPED;
    if (cdcl_restarting (s)) cdcl_restart (s);
    else if (cdcl_simplifying (s)) cdcl_simplify (s);
    else {
      if (cdcl_reducing (s)) cdcl_reduce (s);
      switch (take_search_step (s)) {
      case STEP_TAKEN: break;
      case STEP_MODEL: return SAT_YES;
      case STEP_FAILED: return SAT_NO;
      }
    }
  }
}
