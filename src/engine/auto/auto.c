// The engine `auto`: the chain of LOCK section 9.  Locks first, for the whole program at once; what they prove is settled, and only
// the rest is searched.  A possible violation that the search has met is confirmed, one that a complete search has not met is
// refuted; neither is listed as possible any longer.
#include <string.h>

#include "base/diag.h"
#include "engine/engine.h"

static bool selected (const task *t, ir_property p) { return t->semantics.properties >> p & 1; }

static bool is_possible (const goal *g) { return g->status == GOAL_UNKNOWN && g->sides.count; }
static bool is_summary (const goal *g) {
  return !strcmp (g->id, ir_property_name[g->property]) || !strcmp (g->id, "pair");
}

// ---- the first stage ----------------------------------------------------------------------------------------------
static bool locks_can_help (const engine_run *r) {
  const char *why_not = NULL;
  if (!selected (r->task, IR_P_RACE) && !selected (r->task, IR_P_DEADLOCK)) return false;
  return engine_locks.applies (r->program, r->task, &why_not);
}

// Only what locks can prove is asked of them.
static void run_locks (engine_run *r) {
  task t = *r->task;
  t.semantics.properties &= 1u << IR_P_RACE | 1u << IR_P_DEADLOCK;
  engine_run run = *r;
  run.task = &t;
  run.engine = engine_locks.name;
  engine_locks.run (&run);
}

// Takes the answers that settle nothing out of the verdict, and says which properties are left.
static uint32_t keep_proofs (engine_run *r) {
  verdict *v = r->verdict;
  uint32_t left = r->task->semantics.properties;
  for (uint32_t k = 0; k < v->goals.count; k++) {
    const goal *g = &v->goals.data[k];
    if (!is_summary (g)) continue;
    if (g->status == GOAL_PROVED) left &= ~(1u << g->property);
    else verdict_drop_goal (v, k--);
  }
  return left;
}

// ---- what is left ----------------------------------------------------------------------------------------------------
// A look by the search, a longer one by the solver, and then the search for as long as it may: the first finds what is shallow or small, the
// second what depends on data.
enum { FIRST_SECONDS = 2, SOLVER_SECONDS = 60 /* if there is no limit */, SOLVER_SHARE = 2 };

static void run_stage (engine_run *r, const engine *e, uint32_t properties, const budget *b) {
  task t = *r->task;
  t.semantics.properties = properties;
  engine_run run = *r;
  run.task = &t;
  run.budget = b;
  run.engine = e->name;
  e->run (&run);
  r->parted = run.parted;
}

// What a stage adds, so that it can be taken back.
typedef struct mark {
  uint32_t goals, bounds, assumptions, stats, notes;
} mark;

static mark mark_of (const verdict *v) {
  return (mark){v->goals.count, v->bounds.count, v->assumptions.count, v->stats.count, v->notes.count};
}

// Bugs stay: they were replayed.  True if there is one.
static bool take_back (verdict *v, mark m) {
  bool bugs = false;
  for (uint32_t k = m.goals; k < v->goals.count; k++) {
    bool violated = v->goals.data[k].status == GOAL_VIOLATED;
    bugs |= violated;
    if (!violated) verdict_drop_goal (v, k--);
  }
  v->bounds.count = m.bounds;
  v->assumptions.count = m.assumptions;
  v->stats.count = m.stats;
  v->notes.count = m.notes;
  vec_clear (&v->protections);
  v->kind = VERDICT_SAFE;
  v->reason = NULL;
  return bugs;
}

// Not more than so many seconds of what is left.
static budget slice_of (const budget *b, double seconds) {
  budget slice;
  double left = budget_left (b);
  budget_start (&slice, seconds < left ? seconds : left > 0 ? left : 0.001, b->bytes);
  return slice;
}

// True: that is the answer.  A bug is one if the stage has ended by itself.
static bool try (engine_run *r, const engine *e, uint32_t properties, double seconds) {
  const verdict *v = r->verdict;
  budget slice = slice_of (r->budget, seconds);
  run_stage (r, e, properties, &slice);
  if (r->parted || budget_spent (r->budget)) return true;
  return v->kind == VERDICT_SAFE || (v->kind == VERDICT_BUG && !budget_spent (&slice));
}

static bool solver_can_help (const engine_run *r) {
  const char *why_not = NULL;
  return !r->task->depth && !r->task->bitstate && !r->program->place.i &&
         engine_lazy.applies (r->program, r->task, &why_not);
}

static void run_search (engine_run *r, uint32_t properties) {
  mark m = mark_of (r->verdict);
  if (solver_can_help (r)) {
    if (try (r, &engine_explicit, properties, FIRST_SECONDS)) return;
    bool bugs = take_back (r->verdict, m);
    double share = r->budget->seconds ? budget_left (r->budget) / SOLVER_SHARE : SOLVER_SECONDS;
    if (!bugs && try (r, &engine_lazy, properties, share)) return;
    if (!bugs) take_back (r->verdict, m);
  }
  run_stage (r, &engine_explicit, properties, r->budget);
}

static bool same_places (const goal *a, const goal *b) {
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
    if (v->goals.data[k].status == GOAL_VIOLATED && same_places (possible, &v->goals.data[k])) return true;
  return false;
}

// A search that gives no reason for having ended early was complete.
static void drop_settled (verdict *v) {
  bool complete = !v->reason;
  for (uint32_t k = 0; k < v->goals.count; k++)
    if (is_possible (&v->goals.data[k]) && (complete || is_confirmed (v, &v->goals.data[k])))
      verdict_drop_goal (v, k--);
}

// How to read what is possible matters only if something is.
static void drop_notes (verdict *v) {
  for (uint32_t k = 0; k < v->goals.count; k++)
    if (is_possible (&v->goals.data[k])) return;
  vec_clear (&v->notes);
}

static void run (engine_run *r) {
  verdict *v = r->verdict;
  uint32_t left = r->task->semantics.properties;
  if (locks_can_help (r)) {
    uint32_t bounds = v->bounds.count;
    run_locks (r);
    left = keep_proofs (r);
    v->bounds.count = bounds;  // what is within bounds only is left to the search, which has its own
    v->kind = VERDICT_SAFE;
    v->reason = NULL;
  }
  if (left) {
    vec_clear (&v->protections);  // the search reports what it has seen
    run_search (r, left);
    drop_settled (v);
  }
  drop_notes (v);
}

static bool applies (const ir_program *p, const task *t, const char **why_not) {
  return (t->ltl ? &engine_locks : &engine_explicit)->applies (p, t, why_not);
}

static bool options_fit (const ir_program *p, const task *t, strbuf *why) {
  return engine_lazy.options_fit (p, t, why);
}

const engine engine_auto = {.name = "auto",
                            .summary = "locks first; what they leave open goes to explicit and lazy",
                            .applies = applies,
                            .run = run,
                            .options_fit = options_fit};
