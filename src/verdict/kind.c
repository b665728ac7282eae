// Computes the kind of a verdict, its reason, and the goals that sum up properties.  All three follow from the answers
// about the properties and from the findings.  No other file sets the kind of a verdict (tests/harness/structure.py).
#include "verdict/verdict.h"

// SAFE needs a proof of each requested property.  If no property was requested, nothing is proved.
verdict_kind verdict_kind_of (const property_answer *answers, uint32_t asked) {
  goal_status worst = asked ? GOAL_PROVED : GOAL_UNKNOWN;
  for (unsigned p = 0; p < IR_NUM_QUESTIONS; p++) {
    if (!(asked >> p & 1)) continue;
    goal_status s = answers[p].status;
    if (s == GOAL_VIOLATED) return VERDICT_BUG;
    if (s == GOAL_CONDITIONAL) s = GOAL_BOUNDED;  // no bug, but no proof either
    if (s > worst) worst = s;
  }
  return worst == GOAL_PROVED ? VERDICT_SAFE : worst == GOAL_BOUNDED ? VERDICT_BOUNDED : VERDICT_UNKNOWN;
}

static bool has_goal_with (const verdict *v, goal_status status) {
  for (uint32_t k = 0; k < v->goals.count; k++)
    if (v->goals.data[k].status == status) return true;
  return false;
}

// Returns the reason of the requested property about which least is known apart from its violations. Of several such
// properties the first one counts, but one that the engine never checks only if there is no other. After a bug, the
// reason says why the search for more bugs ended early: a property that the engine never checks says nothing about
// that.
static const reason *reason_of_worst (const verdict *v, uint32_t asked) {
  goal_status worst = GOAL_PROVED;
  const reason *why = NULL;
  for (unsigned p = 0; p < IR_NUM_QUESTIONS; p++) {
    const property_answer *a = &v->answers[p];
    goal_status left = a->status == GOAL_VIOLATED ? a->rest : a->status;
    bool checked = reason_kind_of (a->why) != REASON_NOT_CHECKED;
    bool tells_more = checked && left == worst && reason_kind_of (why) == REASON_NOT_CHECKED;
    if (!(asked >> p & 1) || !a->why || (v->kind == VERDICT_BUG && !checked)) continue;
    if (left <= worst && !tells_more) continue;
    worst = left;
    why = a->why;
  }
  return why;
}

// Returns the reason of a verdict with conditional violations: they are no bugs, but no property they concern is
// proved.
static const reason *reason_of_conditions (verdict *v) {
  return reason_new (v->arena, REASON_CONDITION, verdict_conditional_reason (v));
}

static void note_violations (verdict *v) {
  for (uint32_t k = 0; k < v->goals.count; k++)
    if (v->goals.data[k].status == GOAL_VIOLATED) v->answers[v->goals.data[k].property].status = GOAL_VIOLATED;
}

void verdict_settle (verdict *v, uint32_t asked) {
  note_violations (v);
  v->kind = has_goal_with (v, GOAL_VIOLATED) ? VERDICT_BUG : verdict_kind_of (v->answers, asked);
  v->reason = v->stop ? v->stop : reason_of_worst (v, asked);
  if (v->kind == VERDICT_BUG) return;
  if (v->stop) v->kind = VERDICT_UNKNOWN;
  if (v->kind == VERDICT_UNKNOWN || !has_goal_with (v, GOAL_CONDITIONAL)) return;
  v->kind = VERDICT_BOUNDED;
  v->reason = reason_of_conditions (v);
}

void verdict_stop (verdict *v, const reason *why) { v->stop = why; }

// ---- answers -----------------------------------------------------------------------------------------------
void answers_forget (property_answer *answers, uint32_t properties) {
  for (unsigned p = 0; p < IR_NUM_QUESTIONS; p++)
    if (properties >> p & 1) answers[p] = (property_answer){.status = GOAL_UNKNOWN, .rest = GOAL_UNKNOWN};
}

void verdict_leave_open (verdict *v, uint32_t asked, const char *engine, const reason *why) {
  for (unsigned p = 0; p < IR_NUM_QUESTIONS; p++) {
    property_answer *a = &v->answers[p];
    if (!(asked >> p & 1) || a->engine) continue;
    a->why = why;
    a->message = reason_text (why);
    a->engine = engine;
  }
}

static bool needs_summary (const verdict *v, ir_property p) {
  for (uint32_t k = 0; k < v->goals.count; k++) {
    const goal *g = &v->goals.data[k];
    if (g->property != p) continue;
    if (g->status == GOAL_VIOLATED || p == IR_P_FORMULA) return false;
  }
  return true;
}

void verdict_sum_up (verdict *v, uint32_t asked, const char *question) {
  for (unsigned p = 0; p < IR_NUM_QUESTIONS; p++) {
    const property_answer *a = &v->answers[p];
    if (!(asked >> p & 1) || !needs_summary (v, (ir_property) p)) continue;
    vec_push (&v->goals, ((goal){.id = question ? question : ir_property_name[p],
                                 .property = (ir_property) p,
                                 .status = a->status,
                                 .engine = a->engine,
                                 .message = a->message}));
  }
}
