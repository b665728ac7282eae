// Queries about the unwound program. First: can anything go wrong, repeated until no further violation is found. Then:
// can an execution reach a place where the walk ended because it cannot model what follows, or a place where a loop was
// cut.
#include "base/cutoff.h"
#include "base/diag.h"
#include "engine/order/order_impl.h"
#include "engine/order/order_options.h"
#include "engine/order/order_trace.h"
#include "ir/reason.h"

// ---- claims -----------------------------------------------------------------------------------------
// Some conditions are too weak (unwound.inexact, decider_is_exact, order_deadlock.c): then a trace that does not replay
// makes the answer unknown, but is no internal error.
static void report_order_claim (order_search *z, const order *o, claim *c) {
  bool is_exact = !o->u->inexact && decider_is_exact (o->decider);
  const char *why = "no reason given";
  bool may_say_too_much = !is_exact || c->property == IR_P_DEADLOCK;
  reported r = engine_report_if_true (z->run, c, &why);
  z->bugs += r == REPORTED_NEW;
  arena *a = z->run->verdict->arena;
  if (r == TOO_LARGE_TO_REPLAY) z->incompleteness = reason_new (a, REASON_ENGINE, why);
  if (r == DOES_NOT_REPLAY)
    z->incompleteness = may_say_too_much ? reason_printf (a, REASON_ENGINE, "a possible trace does not replay: %s", why)
                                         : reason_internal (a, "a trace of engine order does not replay: %s", why);
}

static void found_goal (order_search *z, order *o, const unwound_goal *g) {
  claim c;
  thread_position s = {g->thread, g->step, g->edge};
  trace_claim (o, z->run->program, g->property, &s, 1, &c);
  report_order_claim (z, o, &c);
}

static void found_race (order_search *z, order *o, const race_pair *r) {
  const unwound *u = o->u;
  const unwound_access *a = &u->accesses.data[r->a], *b = &u->accesses.data[r->b];
  thread_position s[2] = {{u->nodes.data[a->node].thread, a->step, a->edge},
                          {u->nodes.data[b->node].thread, b->step, b->edge}};
  claim c;
  trace_claim (o, z->run->program, IR_P_RACE, s, 2, &c);
  report_order_claim (z, o, &c);
}

static void found_deadlock (order_search *z, order *o) {
  const unwound *u = o->u;
  thread_position stands[IR_MAX_THREADS];
  uint32_t count = 0;
  for (uint32_t k = 0; k < o->stuck.count; k++) {
    const unwound_wait *w = &u->waits.data[o->stuck.data[k].wait];
    if (decider_value (o->decider, o->stuck.data[k].literal))
      stands[count++] = (thread_position){w->thread, w->step, w->edge};
  }
  claim c;
  trace_claim (o, z->run->program, IR_P_DEADLOCK, stands, count, &c);
  report_order_claim (z, o, &c);
}

// ---- questions --------------------------------------------------------------------------------------
static uint64_t order_goal_key (const unwound_goal *g) {
  return (uint64_t) 1 << 63 | (uint64_t) g->property << 32 | g->edge.i;
}

static uint64_t order_race_key (const unwound *u, const race_pair *r) {
  uint32_t a = u->accesses.data[r->a].edge.i, b = u->accesses.data[r->b].edge.i;
  return a < b ? (uint64_t) a << 32 | b : (uint64_t) b << 32 | a;
}

static bool is_already_found (const order_search *z, uint64_t key) { return map_find (&z->found, key); }

typedef struct query_state {
  order_search *z;
  order *o;
  const unwound *u;
} query_state;

// Solves one query under a fresh selector literal, which is dropped afterwards.
static decided query_selected (query_state *q, const term *conditions, uint32_t count) {
  term_pool *p = q->o->terms;
  term ask = term_var (p, 1);
  VEC (term) clause = {0};
  vec_push (&clause, term_not (p, ask));
  for (uint32_t k = 0; k < count; k++) vec_push (&clause, conditions[k]);
  decider_clause (q->o->decider, clause.data, clause.count);
  vec_release (&clause);
  VEC (term) assumptions = {0};
  vec_push (&assumptions, ask);
  decided d = order_check (q->o, assumptions.data, assumptions.count);
  vec_release (&assumptions);
  return d;
}

static void inspect_violation_model (query_state *q) {
  order_search *z = q->z;
  for (uint32_t k = 0; k < q->u->goals.count; k++) {
    const unwound_goal *g = &q->u->goals.data[k];
    if (is_already_found (z, order_goal_key (g)) || !decider_value (q->o->decider, order_condition (q->o, g))) continue;
    found_goal (z, q->o, g);
    map_insert (&z->found, order_goal_key (g), 0, NULL);
    return;
  }
  for (uint32_t k = 0; k < q->o->races.count; k++) {
    const race_pair *r = &q->o->races.data[k];
    if (is_already_found (z, order_race_key (q->u, r)) || !decider_value (q->o->decider, r->literal)) continue;
    found_race (z, q->o, r);
    map_insert (&z->found, order_race_key (q->u, r), 0, NULL);
    return;
  }
  found_deadlock (z, q->o);
  z->deadlock_found = true;
}

typedef VEC (term) term_list;

static void collect_open (query_state *q, term_list *open) {
  for (uint32_t k = 0; k < q->u->goals.count; k++)
    if (!is_already_found (q->z, order_goal_key (&q->u->goals.data[k])))
      vec_push (open, order_condition (q->o, &q->u->goals.data[k]));
  for (uint32_t k = 0; k < q->o->races.count; k++)
    if (!is_already_found (q->z, order_race_key (q->u, &q->o->races.data[k])))
      vec_push (open, q->o->races.data[k].literal);
  for (uint32_t k = 0; k < q->o->stuck.count && !q->z->deadlock_found; k++)
    vec_push (open, q->o->stuck.data[k].literal);
}

const reason *order_search_spent (const order_search *z) {
  return reason_of_budget (z->run->verdict->arena, &z->budget);
}

static const reason *why_stopped (const order_search *z) {
  const reason *spent = order_search_spent (z);
  return spent ? spent : &solver_gave_up;
}

// Returns false if the search has to stop.
static bool query_bugs (query_state *q) {
  order_search *z = q->z;
  for (;;) {
    term_list open = {0};
    collect_open (q, &open);
    z->open = open.count;
    decided d = open.count ? query_selected (q, open.data, open.count) : DECIDED_NO;
    vec_release (&open);
    if (d == DECIDED_STOPPED) z->stopped = why_stopped (z);
    if (d != DECIDED_YES) return d == DECIDED_NO;
    cutoff_hold (true);
    inspect_violation_model (q);
    cutoff_hold (false);
    if (engine_has_enough (z->run, z->bugs)) z->stopped = &stopped_at_first_bug;
    if (z->incompleteness || z->stopped) return false;
  }
}

// Can an execution reach any of these conditions?
static decided query_any (query_state *q, const term *conditions, uint32_t count) {
  decided d = count ? query_selected (q, conditions, count) : DECIDED_NO;
  if (d == DECIDED_STOPPED) q->z->stopped = why_stopped (q->z);
  return d;
}

// The first incompleteness that the model reaches.
static const reason *incompleteness_of_model (const query_state *q) {
  for (uint32_t k = 0; k < q->u->incomplete.count; k++)
    if (decider_value (q->o->decider, q->u->incomplete.data[k])) {
      const unwound_incompleteness *d = &q->u->incomplete_at.data[k];
      return reason_of_edge (q->z->run->verdict->arena, q->z->run->program, d->place, d->edge, d->what);
    }
  BUG ("a model with an unmodelled step should have one that is true");
}

static bool has_no_incompleteness (query_state *q) {
  decided d = query_any (q, q->u->incomplete.data, q->u->incomplete.count);
  if (d == DECIDED_YES) q->z->incompleteness = incompleteness_of_model (q);
  return d == DECIDED_NO;
}

// True also if the answer is not known.
static bool can_reach_cut (query_state *q, bool for_good) {
  term_list cuts = {0};
  for (uint32_t k = 0; k < q->u->cuts.count; k++)
    if (q->u->cut_is_fixed.data[k] == for_good) vec_push (&cuts, q->u->cuts.data[k]);
  bool may_be = query_any (q, cuts.data, cuts.count) != DECIDED_NO;
  vec_release (&cuts);
  return may_be;
}

void order_query_all (order_search *z, const unwound *u, term_pool *terms) {
  engine_run *r = z->run;
  const order_options *given = order_options_of (r->task);
  decider *d = decider_new (terms, given->solver, &z->budget);
  z->decider = d;
  z->events = u->events.count, z->nodes = u->nodes.count;
  query_state q = {.z = z, .o = order_new (u, terms, d, &z->budget), .u = u};
  if (given->context_bound) order_bound_contexts (q.o, given->context_bound);
  if (r->task->semantics.properties >> IR_P_RACE & 1) order_add_races (q.o, r->suspects);
  order_add_deadlocks (q.o);
  bool all_no = query_bugs (&q) && has_no_incompleteness (&q);
  z->evidence = budget_completion (&z->budget);  // goals that were not encoded when the time ended are in no query
  z->answered = all_no && z->evidence.is_complete;
  if (all_no && !z->answered) z->stopped = why_stopped (z);
  z->cut = z->answered && can_reach_cut (&q, false);
  z->cut_for_good = z->answered && can_reach_cut (&q, true);
  z->few_contexts = q.o->contexts;
  if (decider_disagrees (d)) r->parted = "internal error: CaDiCaL and Z3 give different answers";
  decider_stats s = decider_get_stats (d);
  z->rounds += q.o->rounds, z->clauses += q.o->clauses;
  z->calls += s.calls, z->variables = s.variables, z->sat_clauses = s.clauses;
  z->decider = NULL;
  order_free (q.o);
  decider_free (d);
}
