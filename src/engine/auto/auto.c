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
static void run_explicit (engine_run *r, uint32_t properties) {
  task t = *r->task;
  t.semantics.properties = properties;
  engine_run run = *r;
  run.task = &t;
  run.engine = engine_explicit.name;
  engine_explicit.run (&run);
  r->parted = run.parted;
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
    run_explicit (r, left);
    drop_settled (v);
  }
  drop_notes (v);
}

static bool applies (const ir_program *p, const task *t, const char **why_not) {
  return (t->ltl ? &engine_locks : &engine_explicit)->applies (p, t, why_not);
}

const engine engine_auto = {
    .name = "auto", .summary = "locks first, then a search for what they leave open", .applies = applies, .run = run};
