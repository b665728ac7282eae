// The engine `auto`: the chain of LOCK section 9.  The engine `locks` works first, on the whole program at once; what
// it proves is concluded, and only the rest is searched.  A possible violation that the search has met is confirmed,
// one that a complete search has not met is refuted; neither is listed as possible any longer.
#include <string.h>

#include "base/diag.h"
#include "engine/auto/team.h"
#include "ir/reason.h"

static const uint32_t asked_of_locks = 1u << IR_P_RACE | 1u << IR_P_DEADLOCK | 1u << IR_P_LOCKS;

// ---- the first stage ----------------------------------------------------------------------------------
static bool locks_can_help (const engine_run *r) {
  const char *why_not = NULL;
  if (!(r->task->semantics.properties & asked_of_locks)) return false;
  return engine_locks.applies (r->program, r->task, &why_not);
}

// Runs the engine `locks`, which proves that there are no races and deadlocks.  Misuse of locks it can only list as
// possible: its proofs there are about the operations that it follows, and a search examines all of them.
static void run_locks (engine_run *r) {
  task t = *r->task;
  t.semantics.properties &= asked_of_locks;
  engine_run run = *r;
  run.task = &t;
  run.engine = engine_locks.name;
  engine_locks.run (&run);
  r->verdict->answers[IR_P_LOCKS].rest = GOAL_UNKNOWN;
}

// Forgets the answers that decide nothing; returns the properties that are still open.
static uint32_t keep_proofs (engine_run *r) {
  uint32_t left = r->task->semantics.properties;
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) {
    property_answer *a = &r->verdict->answers[p];
    if (a->engine && a->status == GOAL_PROVED && p != IR_P_LOCKS) left &= ~(1u << p);
    else *a = (property_answer){.status = GOAL_UNKNOWN, .rest = a->rest};
  }
  return left;
}

// ---- facts for the other engines -----------------------------------------------------------------------------
// Collects the candidate pairs.  False: more pairs may race than are listed.
static bool collect_suspects (const engine_run *r, suspects *s) {
  const verdict *v = r->verdict;
  suspects_init (s, r->program);
  for (uint32_t k = 0; k < v->goals.count; k++) {
    const goal *g = &v->goals.data[k];
    if (g->property == IR_P_RACE && goal_is_possible (g))
      suspects_add (s, g->locations.data[0].pos, g->locations.data[1].pos);
  }
  return v->answers[IR_P_RACE].all_listed;
}

// Reports an internal error if a race was found that is no candidate pair: it was confirmed by execution, so the
// analysis that excluded it was wrong.
static void compare_with_suspects (engine_run *r) {
  const verdict *v = r->verdict;
  for (uint32_t k = 0; k < v->goals.count && r->suspects; k++) {
    const goal *g = &v->goals.data[k];
    if (g->property != IR_P_RACE || g->status != GOAL_VIOLATED) continue;
    if (suspects_have (r->suspects, g->claim.edge[0], g->claim.edge[1])) continue;
    r->parted = "a race was found that engine locks had excluded";
    diag_warn ("internal error: %s: %s", r->parted, g->message);
  }
}

// ---- which possible violations remain -------------------------------------------------------------
static bool is_at_same_places (const goal *a, const goal *b) {
  if (a->property != b->property || a->locations.count != b->locations.count) return false;
  for (uint32_t i = 0; i < a->locations.count; i++) {
    bool found = false;
    for (uint32_t k = 0; k < b->locations.count; k++) {
      ir_position x = a->locations.data[i].pos, y = b->locations.data[k].pos;
      found |= x.line == y.line && x.column == y.column && x.file && y.file && !strcmp (x.file, y.file);
    }
    if (!found) return false;
  }
  return true;
}

static bool is_confirmed (const verdict *v, const goal *possible) {
  for (uint32_t k = 0; k < v->goals.count; k++)
    if (v->goals.data[k].status == GOAL_VIOLATED && is_at_same_places (possible, &v->goals.data[k])) return true;
  return false;
}

// Drops the possible violations that are decided: a complete search has found all that exist.
static void drop_decided (verdict *v) {
  for (uint32_t k = 0; k < v->goals.count; k++) {
    const goal *g = &v->goals.data[k];
    if (goal_is_possible (g) && (v->answers[g->property].rest == GOAL_PROVED || is_confirmed (v, g)))
      verdict_drop_goal (v, k--);
  }
}

// Drops the notes of engine `locks` on how to read possible violations, unless there are such violations.
static void drop_first_notes (verdict *v, uint32_t count) {
  for (uint32_t k = 0; k < v->goals.count; k++)
    if (goal_is_possible (&v->goals.data[k])) return;
  for (uint32_t k = count; k < v->notes.count; k++) v->notes.data[k - count] = v->notes.data[k];
  v->notes.count -= count;
}

// Notes unsupported constructs of the program that no engine has executed, but that may still prevent a proof.
static void note_unsupported_operations (engine_run *r) {
  enum { NAMED = 3 };
  verdict *v = r->verdict;
  const ir_program *p = r->program;
  if (v->kind != VERDICT_UNKNOWN || reason_kind_of (v->reason) <= REASON_UNSUPPORTED) return;
  uint32_t count = 0;
  for (uint32_t e = 0; e < p->edges.count; e++) {
    const ir_edge_data *d = &p->edges.data[e];
    if (d->op != IR_UNSUPPORTED || ir_proc_at (p, ir_loc_at (p, d->from)->proc)->internal) continue;
    if (++count > NAMED) continue;
    verdict_add_note (v, "%s: no engine came there, and none has shown that no execution does",
                      reason_unsupported (v->arena, p, (ir_edge){e}, d->message)->text);
  }
  if (count > NAMED) verdict_add_note (v, "no engine came to %u more unsupported operations either", count - NAMED);
}

static void run_engine_auto (engine_run *r) {
  verdict *v = r->verdict;
  uint32_t left = r->task->semantics.properties;
  suspects pairs = {0};
  if (r->task->ltl) {  // a formula about the whole program is the only question
    team_search (r, 1u << IR_P_FORMULA);
    return;
  }
  if (locks_can_help (r)) {
    uint32_t bounds = v->bounds.count;
    run_locks (r);
    if (collect_suspects (r, &pairs)) r->suspects = &pairs;
    left = keep_proofs (r);
    v->bounds.count = bounds;  // bounded answers are left to the search, which has bounds of its own
  }
  uint32_t notes = v->notes.count;
  if (left) {
    vec_clear (&v->protections);  // the search reports the protections that it has seen
    team_search (r, left);
    compare_with_suspects (r);
    drop_decided (v);
    note_unsupported_operations (r);
  }
  drop_first_notes (v, notes);
  r->suspects = NULL;
  suspects_release (&pairs);
}

static bool applies_auto (const ir_program *p, const task *t, const char **why_not) {
  return engine_explicit.applies (p, t, why_not);
}

static bool auto_options_fit (const ir_program *p, const task *t, strbuf *why) {
  return (t->ltl ? &engine_explicit : &engine_order)->options_fit (p, t, why);
}

static const engine *const team_engines[] = {&engine_explicit, &engine_order, &engine_circuit,
                                             &engine_boolean,  &engine_locks, NULL};

const engine engine_auto = {.name = "auto",
                            .summary = "locks first; what they leave open goes to explicit, order, circuit and boolean",
                            .properties = ENGINE_COMMON_PROPERTIES | 1 << IR_P_LEAK,
                            .applies = applies_auto,
                            .run = run_engine_auto,
                            .options_fit = auto_options_fit,
                            .ways = WAY_PROPERTIES | WAY_FORMULA,
                            .starts = team_engines,
                            .honours = {[SHARED_JOBS] = WAY_PROPERTIES | WAY_FORMULA}};
