// Engine `lazy`: bounded model checking with symbolic data and interleavings in one question.  Loops are unwound so often, the question is asked;
// if there is no bug and something was cut off, loops are unwound more often, until nothing is cut off or the budget ends.
#include "engine/engine.h"
#include "engine/lazy/trace.h"
#include "engine/lazy/walk.h"

#include "base/diag.h"

enum { MOST_WALKS = 60, MOST_STEPS = 4000000, LARGEST_UNWIND = 1 << 16, FIRST_PATIENCE = 100, MOST_PATIENCE = 1000000 };

typedef struct lazy {
  engine_run *run;
  loops loops;
  uint32_t unwind;
  uint32_t bugs;
  uint64_t rounds, clauses, events, nodes, calls, variables, sat_clauses, walks;
  const char *stopped, *doubt, *bound;
  bool complete;  // nothing was cut off
} lazy;

static bool applies (const ir_program *p, const task *t, const char **why_not) {
  (void) p;
  if (t->ltl) *why_not = "temporal properties are not for this engine";
  return !t->ltl;
}

// ---- claims ---------------------------------------------------------------------------------------------------------------
// A trace that does not replay shows that some value was more than it can be; then nothing is known.
static bool report (lazy *z, const unwound *u, claim *c) {
  engine_run *r = z->run;
  goal g = {.property = c->property, .status = GOAL_VIOLATED, .engine = r->engine};
  const char *why = NULL;
  bool may_say_too_much = u->inexact || c->property == IR_P_DEADLOCK;
  if (may_say_too_much && !verdict_confirm (r->verdict, r->program, &r->task->semantics, c, &g, &why)) {
    z->doubt = arena_printf (r->verdict->arena, "a possible trace does not replay: %s", why);
    schedule_release (&c->schedule);
    return false;
  }
  z->bugs += engine_report (r, c);
  return true;
}

static void found_goal (lazy *z, order *o, const unwound_goal *g) {
  claim c;
  stand s = {g->thread, g->step, g->edge};
  trace_claim (o, z->run->program, g->property, &s, 1, &c);
  report (z, o->u, &c);
}

static void found_race (lazy *z, order *o, const race_pair *r) {
  const unwound *u = o->u;
  const unwound_access *a = &u->accesses.data[r->a], *b = &u->accesses.data[r->b];
  stand s[2] = {{u->nodes.data[a->node].thread, a->step, a->edge}, {u->nodes.data[b->node].thread, b->step, b->edge}};
  claim c;
  trace_claim (o, z->run->program, IR_P_RACE, s, 2, &c);
  report (z, u, &c);
}

static void found_deadlock (lazy *z, order *o) {
  const unwound *u = o->u;
  stand stands[IR_MAX_THREADS];
  uint32_t count = 0;
  for (uint32_t k = 0; k < o->stuck.count; k++) {
    const unwound_wait *w = &u->waits.data[o->stuck.data[k].wait];
    if (decider_value (o->decider, o->stuck.data[k].literal)) stands[count++] = (stand){w->thread, w->step, w->edge};
  }
  claim c;
  trace_claim (o, z->run->program, IR_P_DEADLOCK, stands, count, &c);
  report (z, u, &c);
}

// ---- questions --------------------------------------------------------------------------------------------------------------
static bool same_races (const unwound *u, const race_pair *x, const race_pair *y) {
  uint32_t a = u->accesses.data[x->a].edge.i, b = u->accesses.data[x->b].edge.i;
  uint32_t c = u->accesses.data[y->a].edge.i, d = u->accesses.data[y->b].edge.i;
  return (a == c && b == d) || (a == d && b == c);
}

typedef struct questions {
  lazy *z;
  order *o;
  const unwound *u;
  VEC (bool) settled;     // by goal
  bool deadlock_settled;  // one is enough
} questions;

static void settle_goal (questions *q, uint32_t found) {
  const unwound_goal *f = &q->u->goals.data[found];
  for (uint32_t k = 0; k < q->u->goals.count; k++) {
    const unwound_goal *g = &q->u->goals.data[k];
    if (g->edge.i == f->edge.i && g->property == f->property) q->settled.data[k] = true;
  }
}

static void settle_race (questions *q, const race_pair found) {
  for (uint32_t k = 0; k < q->o->races.count; k++) {
    race_pair *r = &q->o->races.data[k];
    if (r->settled || !same_races (q->u, r, &found)) continue;
    r->settled = true;
    decider_assert (q->o->decider, term_not (q->o->terms, r->literal));
  }
}

// One of them, under a literal of its own that is given up afterwards.
static decided ask_for_one (questions *q, const term *conditions, uint32_t count) {
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

static void look_at_model (questions *q) {
  lazy *z = q->z;
  for (uint32_t k = 0; k < q->u->goals.count; k++) {
    if (q->settled.data[k] || !decider_value (q->o->decider, q->u->goals.data[k].condition)) continue;
    found_goal (z, q->o, &q->u->goals.data[k]);
    settle_goal (q, k);
    return;
  }
  for (uint32_t k = 0; k < q->o->races.count; k++) {
    race_pair r = q->o->races.data[k];
    if (r.settled || !decider_value (q->o->decider, r.literal)) continue;
    found_race (z, q->o, &r);
    settle_race (q, r);
    return;
  }
  found_deadlock (z, q->o);
  q->deadlock_settled = true;
}

// False: it cannot go on.
static bool ask_for_bugs (questions *q) {
  lazy *z = q->z;
  for (;;) {
    VEC (term) open = {0};
    for (uint32_t k = 0; k < q->u->goals.count; k++)
      if (!q->settled.data[k]) vec_push (&open, q->u->goals.data[k].condition);
    for (uint32_t k = 0; k < q->o->races.count; k++)
      if (!q->o->races.data[k].settled) vec_push (&open, q->o->races.data[k].literal);
    for (uint32_t k = 0; k < q->o->stuck.count && !q->deadlock_settled; k++)
      vec_push (&open, q->o->stuck.data[k].literal);
    decided d = open.count ? ask_for_one (q, open.data, open.count) : DECIDED_NO;
    vec_release (&open);
    if (d == DECIDED_STOPPED) z->stopped = budget_spent (z->run->budget);
    if (d == DECIDED_STOPPED && !z->stopped) z->stopped = "the solver gave up";
    if (d != DECIDED_YES) return d == DECIDED_NO;
    look_at_model (q);
    if (z->doubt || z->run->parted || (z->bugs && z->run->task->stop_at_first)) return false;
  }
}

// Is any execution cut off, or in doubt?
static decided ask_for_any (questions *q, const term *conditions, uint32_t count) {
  return count ? ask_for_one (q, conditions, count) : DECIDED_NO;
}

static void ask_all (lazy *z, unwound *u, term_pool *terms) {
  engine_run *r = z->run;
  decider *d = decider_new (terms, DECIDE_BY_SAT, r->budget);
  questions q = {.z = z, .o = order_new (u, terms, d, r->budget), .u = u};
  for (uint32_t k = 0; k < u->goals.count; k++) vec_push (&q.settled, false);
  if (r->task->semantics.properties >> IR_P_RACE & 1) order_add_races (q.o);
  order_add_deadlocks (q.o);
  z->complete = false;
  if (ask_for_bugs (&q)) {
    decided doubt = ask_for_any (&q, u->doubts.data, u->doubts.count);
    decided cut = doubt == DECIDED_NO ? ask_for_any (&q, u->cuts.data, u->cuts.count) : DECIDED_STOPPED;
    if (doubt == DECIDED_YES) z->doubt = u->doubt;
    else if (doubt == DECIDED_STOPPED || cut == DECIDED_STOPPED) z->stopped = budget_spent (r->budget);
    z->complete = doubt == DECIDED_NO && cut == DECIDED_NO;
  }
  decider_stats s = decider_get_stats (d);
  z->rounds += q.o->rounds, z->clauses += q.o->clauses;
  z->calls += s.calls, z->variables = s.variables, z->sat_clauses = s.clauses;
  z->events = u->events.count, z->nodes = u->nodes.count;
  vec_release (&q.settled);
  order_free (q.o);
  decider_free (d);
}

// ---- unwinding ----------------------------------------------------------------------------------------------------------------
// Walks until it knows all it needs to.  False: it does not come to that.
static bool unwind (lazy *z, sharing *f, term_pool *terms, unwound *u) {
  walk_options o = {.program = z->run->program,
                    .semantics = &z->run->task->semantics,
                    .budget = z->run->budget,
                    .unwind = z->unwind,
                    .patience = FIRST_PATIENCE,
                    .most_steps = MOST_STEPS};
  for (uint32_t k = 0; k < MOST_WALKS; k++) {
    z->walks++;
    bool complete = walk_program (&o, &z->loops, f, terms, u);
    if (!complete) {
      z->stopped = u->doubt;
      return false;
    }
    if (!f->grew && (!u->impatient || o.patience == MOST_PATIENCE)) return true;
    if (!f->grew) o.patience *= 10;
    unwound_release (u);
    unwound_init (u);
    term_pool_release (terms);
    term_pool_init (terms);
  }
  z->stopped = "memory does not settle";
  return false;
}

static void round_with (lazy *z) {
  sharing f;
  term_pool terms;
  unwound u;
  sharing_init (&f, z->run->program->objects.count);
  term_pool_init (&terms);
  unwound_init (&u);
  double start = budget_now ();
  if (unwind (z, &f, &terms, &u)) {
    diag_verbose (1, "lazy", "unwind %u: %u threads, %u events, %u goals, %u accesses, %u cuts, %u doubts%s%s; %.2f s",
                  z->unwind, u.threads.count, u.events.count, u.goals.count, u.accesses.count, u.cuts.count,
                  u.doubts.count, u.doubt ? ": " : "", u.doubt ? u.doubt : "", budget_now () - start);
    ask_all (z, &u, &terms);
    if (u.cuts.count) z->bound = arena_printf (z->run->verdict->arena, "%s %u", u.bound, z->unwind);
  }
  unwound_release (&u);
  term_pool_release (&terms);
  sharing_release (&f);
}

static uint32_t more_rounds (uint32_t unwind) { return unwind < 4 ? unwind + 1 : unwind + unwind / 2; }

static const char *reason_for (const lazy *z, goal_status rest) {
  const verdict *v = z->run->verdict;
  if (rest == GOAL_PROVED) return NULL;
  if (z->run->parted) return "a trace does not replay";
  if (z->doubt) return z->doubt;
  return rest == GOAL_BOUNDED && v->bounds.count ? v->bounds.data[v->bounds.count - 1] : z->stopped;
}

static void conclude (lazy *z) {
  verdict *v = z->run->verdict;
  goal_status rest = z->complete && !v->bounds.count ? GOAL_PROVED
                     : z->complete                   ? GOAL_BOUNDED
                     : z->stopped && !z->bound       ? GOAL_UNKNOWN
                                                     : GOAL_BOUNDED;
  if (z->doubt || z->run->parted) rest = GOAL_UNKNOWN;
  if (rest == GOAL_BOUNDED && !z->complete && z->bound) verdict_add_bound (v, "%s", z->bound);
  v->reason = reason_for (z, rest);
  v->kind = z->bugs                ? VERDICT_BUG
            : rest == GOAL_PROVED  ? VERDICT_SAFE
            : rest == GOAL_BOUNDED ? VERDICT_BOUNDED
                                   : VERDICT_UNKNOWN;
  engine_summarise (z->run, rest,
                    rest == GOAL_PROVED ? "no execution violates it; all loops were unwound to their ends" : v->reason);
  verdict_add_stat (v, "unwind", z->unwind, NULL);
  verdict_add_stat (v, "events", z->events, NULL);
  verdict_add_stat (v, "sat_calls", z->calls, NULL);
  verdict_add_stat (v, "sat_variables", z->variables, NULL);
  verdict_add_stat (v, "sat_clauses", z->sat_clauses, NULL);
  verdict_add_stat (v, "order_clauses", z->clauses, NULL);
  verdict_add_stat (v, "walks", z->walks, NULL);
}

static void run (engine_run *r) {
  lazy z = {.run = r, .unwind = r->task->unwind ? (uint32_t) r->task->unwind : 1};
  loops_init (&z.loops, r->program);
  for (;;) {
    const char *last_bound = z.bound;
    round_with (&z);
    if (z.stopped && last_bound && !z.bugs) z.bound = last_bound;
    if (z.complete || z.stopped || z.doubt || r->parted || z.bugs || r->task->unwind || z.unwind > LARGEST_UNWIND)
      break;
    z.unwind = more_rounds (z.unwind);
  }
  conclude (&z);
  loops_release (&z.loops);
}

const engine engine_lazy = {
    .name = "lazy",
    .summary = "bounded model checking: symbolic data and interleavings; bugs, and proofs where loops end",
    .applies = applies,
    .run = run};
