// The engine `auto`: the chain of LOCK section 9.  Locks first, for the whole program at once; what they prove is settled, and only
// the rest is searched.  A possible violation that the search has met is confirmed, one that a complete search has not met is
// refuted; neither is listed as possible any longer.
#include <string.h>

#include "base/diag.h"
#include "engine/auto/worker.h"

static bool selected (const task *t, ir_property p) { return t->semantics.properties >> p & 1; }

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

// ---- facts for the others ---------------------------------------------------------------------------------------------
static const goal *find_summary (const verdict *v, ir_property p) {
  for (uint32_t k = 0; k < v->goals.count; k++)
    if (is_summary (&v->goals.data[k]) && v->goals.data[k].property == p) return &v->goals.data[k];
  return NULL;
}

// False: more pairs may race than are listed.
static bool collect_suspects (const engine_run *r, suspects *s) {
  const verdict *v = r->verdict;
  const goal *summary = find_summary (v, IR_P_RACE);
  suspects_init (s, r->program);
  for (uint32_t k = 0; k < v->goals.count; k++) {
    const goal *g = &v->goals.data[k];
    if (g->property == IR_P_RACE && goal_is_possible (g))
      suspects_add (s, g->locations.data[0].pos, g->locations.data[1].pos);
  }
  return summary && summary->all_listed;
}

// A race is confirmed by execution; so the analysis that excluded it was wrong.
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

// ---- what is left ----------------------------------------------------------------------------------------------------
enum { FIRST_SECONDS = 2, SOLVER_SECONDS = 60 /* if there is no limit */, SOLVER_SHARE = 2 };
static const double HEAD_START = 0.1;  // seconds

static bool solver_can_help (const engine_run *r) {
  const char *why_not = NULL;
  return !r->task->depth && !r->task->bitstate && !r->program->place.i &&
         engine_lazy.applies (r->program, r->task, &why_not);
}

// Not more than so many seconds of what is left.
static double at_most (const budget *b, double seconds) {
  double left = budget_left (b);
  return seconds < left ? seconds : left > 0.001 ? left : 0.001;
}

// A bug is the answer if the engine has ended by itself; else it may find more.
static bool settles (const worker *w) {
  verdict_kind kind = worker_answer (w)->kind;
  return kind == VERDICT_SAFE || (kind == VERDICT_BUG && !worker_was_late (w));
}

// Until one of them has the answer, or all have ended.  NULL: so many seconds have gone by.
static const worker *wait_for_answer (engine_run *r, worker *const *list, uint32_t count, double seconds) {
  double end = budget_now () + seconds;
  for (;;) {
    uint32_t ended = 0;
    for (uint32_t k = 0; k < count; k++) {
      if (worker_has_ended (list[k]) && settles (list[k])) return list[k];
      ended += worker_has_ended (list[k]);
    }
    if (ended == count || r->parted) return count ? list[0] : NULL;
    if (budget_now () > end) return NULL;
    workers_wait (r, list, count);
  }
}

static bool has_violation (const verdict *v, uint32_t properties) {
  for (uint32_t k = 0; k < v->goals.count; k++)
    if (v->goals.data[k].status == GOAL_VIOLATED && properties >> v->goals.data[k].property & 1) return true;
  return false;
}

// One has found violations of a property, another sums it up: what is found stands.
static void reconcile (engine_run *r) {
  verdict *v = r->verdict;
  for (uint32_t k = 0; k < v->goals.count; k++) {
    const goal *g = &v->goals.data[k];
    if (!is_summary (g) || !has_violation (v, 1u << g->property)) continue;
    if (g->status == GOAL_PROVED) {
      r->parted = "one engine has found a violation that another says cannot be";
      diag_warn ("internal error: %s: %s", r->parted, ir_property_name[g->property]);
    }
    verdict_drop_goal (v, k--);
  }
}

// One that had only part of the time ended for lack of it, but that is not what the user knows of: the limit of the whole run, or the interruption.
static void tell_why_it_ended (verdict *v, const char *spent) {
  const char *reason = v->reason;
  bool open = v->kind == VERDICT_UNKNOWN || v->kind == VERDICT_BUG;
  if (!spent || !open || !reason || strncmp (reason, "time limit", strlen ("time limit"))) return;
  v->reason = arena_strdup (v->arena, spent);
  for (uint32_t k = 0; k < v->goals.count; k++) {
    goal *g = &v->goals.data[k];
    if (g->status == GOAL_UNKNOWN && g->message && !strcmp (g->message, reason)) g->message = v->reason;
  }
}

// The best that anybody has to say: an answer, or at least one within bounds; of those who know nothing the last had the most time.  Those still at
// work are ended.
static void take_best (engine_run *r, worker *const *list, uint32_t count) {
  const worker *best = NULL;
  for (uint32_t k = 0; k < count; k++) {
    if (!worker_has_ended (list[k])) continue;
    verdict_kind kind = worker_answer (list[k])->kind;
    bool is_better = !best || kind < worker_answer (best)->kind;
    if (is_better || (kind == VERDICT_UNKNOWN && worker_answer (best)->kind == VERDICT_UNKNOWN)) best = list[k];
  }
  static const answer none = {.kind = VERDICT_UNKNOWN, .reason = "no process could be started"};
  answer_add_to (best ? worker_answer (best) : &none, r->verdict);
  const char *spent = budget_spent (r->budget);
  tell_why_it_ended (r->verdict, spent);
  if (spent && r->verdict->kind == VERDICT_BOUNDED)
    verdict_add_note (r->verdict, "the bounds are those reached when it was stopped: %s", spent);
  for (uint32_t k = 0; k < count; k++) worker_free (list[k]);
  reconcile (r);
}

// ---- one after the other ----------------------------------------------------------------------------------------------
typedef VEC (worker *) worker_list;

// True: that is the answer, or the end.
static bool try (engine_run *r, const engine *e, worker_share s, worker_list *tried) {
  worker *w = worker_start (r, e, s);
  if (!w) return false;
  vec_push (tried, w);
  while (!worker_has_ended (w)) workers_wait (r, &w, 1);
  return settles (w) || r->parted || budget_spent (r->budget);
}

// A look by the search, a longer one by the solver, and then the search for as long as it may: the first finds what is shallow or small, the
// second what depends on data.
static void run_in_turn (engine_run *r, uint32_t properties) {
  worker_list tried = {0};
  worker_share all = {properties, at_most (r->budget, budget_left (r->budget)), r->budget->bytes, r->task->jobs},
               look = all, longer = all;
  look.seconds = at_most (r->budget, FIRST_SECONDS);
  bool done = solver_can_help (r) && try (r, &engine_explicit, look, &tried);
  longer.seconds = r->budget->seconds ? budget_left (r->budget) / SOLVER_SHARE : SOLVER_SECONDS;
  done =
      done || (solver_can_help (r) && !has_violation (r->verdict, properties) && try (r, &engine_lazy, longer, &tried));
  all.seconds = at_most (r->budget, budget_left (r->budget));
  if (!done) try (r, &engine_explicit, all, &tried);
  take_best (r, tried.data, tried.count);
  vec_release (&tried);
}

// ---- side by side -----------------------------------------------------------------------------------------------------
// The search begins alone: where it ends at once nobody else is needed.
static void run_side_by_side (engine_run *r, uint32_t properties) {
  double left = at_most (r->budget, budget_left (r->budget));
  worker_share half = {properties, left, r->budget->bytes / 2, r->task->jobs - 1};
  worker *both[2] = {worker_start (r, &engine_explicit, half), NULL};
  uint32_t count = both[0] ? 1 : 0;
  const worker *answer = wait_for_answer (r, both, count, HEAD_START);
  if (count && (!answer || !settles (answer))) both[1] = worker_start (r, &engine_lazy, half);
  count += both[1] != NULL;
  while (!wait_for_answer (r, both, count, left) && count) {}
  take_best (r, both, count);
}

static void run_search (engine_run *r, uint32_t properties) {
  if (r->task->jobs > 1 && solver_can_help (r)) run_side_by_side (r, properties);
  else run_in_turn (r, properties);
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
    if (goal_is_possible (&v->goals.data[k]) && (complete || is_confirmed (v, &v->goals.data[k])))
      verdict_drop_goal (v, k--);
}

// How to read what is possible, which locks have said, matters only if something is.
static void drop_first_notes (verdict *v, uint32_t count) {
  for (uint32_t k = 0; k < v->goals.count; k++)
    if (goal_is_possible (&v->goals.data[k])) return;
  for (uint32_t k = count; k < v->notes.count; k++) v->notes.data[k - count] = v->notes.data[k];
  v->notes.count -= count;
}

static void run (engine_run *r) {
  verdict *v = r->verdict;
  uint32_t left = r->task->semantics.properties;
  suspects pairs = {0};
  if (locks_can_help (r)) {
    uint32_t bounds = v->bounds.count;
    run_locks (r);
    if (collect_suspects (r, &pairs)) r->suspects = &pairs;
    left = keep_proofs (r);
    v->bounds.count = bounds;  // what is within bounds only is left to the search, which has its own
    v->kind = VERDICT_SAFE;
    v->reason = NULL;
  }
  uint32_t notes = v->notes.count;
  if (left) {
    vec_clear (&v->protections);  // the search reports what it has seen
    run_search (r, left);
    compare_with_suspects (r);
    drop_settled (v);
  }
  drop_first_notes (v, notes);
  r->suspects = NULL;
  suspects_release (&pairs);
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
