// Engine `lazy`: bounded model checking by depth, as in the paper LAZY (Ganai and Gupta 2008).  Each thread is a
// machine that is unrolled step by step.  The question is asked at growing depths, until the answer is yes, every
// thread has come to its end, or the budget is spent.
#include "base/limits.h"
#include "engine/engine.h"

#include "base/cutoff.h"
#include "base/diag.h"
#include "base/strbuf.h"
#include "efsm/balance.h"
#include "engine/lazy/lazy.h"
#include "engine/lazy/lazy_options.h"
#include "engine/machine.h"
#include "ir/reason.h"

typedef struct deepening {
  engine_run *run;
  bool eager;  // the encoding
  efsm m;
  const reason *why_not;  // there is no machine
  lazy_model u;
  uint32_t bugs, witnesses, refinements, idle, movers;
  const char *cut;
  const reason *doubt, *stopped;
  bool complete;
  uint64_t asked_size;   // of the question to which the last answer was no
  uint32_t asked_depth;  // ... and its depth
  map found;             // goals by place
  map closed;            // goals by number
} deepening;

enum { GROWTH_TO_ASK = 5 /* one in so many */ };

typedef VEC (term) term_list;

static uint64_t key_of (const lazy_goal *g, uint32_t other) {
  if (g->property != IR_P_RACE) return (uint64_t) 1 << 63 | (uint64_t) g->property << 32 | g->edge.i;
  return g->edge.i < other ? (uint64_t) g->edge.i << 32 | other : (uint64_t) other << 32 | g->edge.i;
}

// ---- questions --------------------------------------------------------------------------------------
// Races are told apart by where they are, or, if all are asked for, by how the token goes (the eager model: by depth).
static bool by_switches (const deepening *z, const lazy_goal *g) {
  bool all = z->run->task->exhaustive && !at_limit (LAZY_WITNESSES, z->witnesses);
  return g->property == IR_P_RACE && (all || z->u.options.eager);
}

static bool is_open (const deepening *z, const lazy_goal *g) {
  if (by_switches (z, g)) return !map_find (&z->closed, (uint64_t) (g - z->u.goals.data));
  return !map_find (&z->found, key_of (g, g->other_edge.i));
}

static void collect (const deepening *z, term_list *open) {
  for (uint32_t k = 0; k < z->u.goals.count; k++)
    if (is_open (z, &z->u.goals.data[k])) vec_push (open, z->u.goals.data[k].literal);
  for (uint32_t k = 0; k < z->u.losses.count; k++) {
    const lazy_loss *l = &z->u.losses.data[k];
    if (l->is_cut ? !z->cut : !z->doubt) vec_push (open, l->literal);
  }
}

static decided ask (deepening *z) {
  term_list clause = {0};
  term asked = term_var (z->u.terms, 1);
  vec_push (&clause, term_not (z->u.terms, asked));
  collect (z, &clause);
  decided d = DECIDED_NO;
  if (clause.count > 1) {
    decider_clause (z->u.decider, clause.data, clause.count);
    d = decider_check (z->u.decider, (term[]){asked, z->u.last_depth}, 2);
  }
  vec_release (&clause);
  return d;
}

// The paper's (16): this goal is not to come again by the same passes.  Other goals may need them, and more.
static void exclude_passes (deepening *z, uint32_t index) {
  lazy_model *u = &z->u;
  term others = u->terms->falsity;
  for (uint32_t k = 0; k < u->passes.count; k++)
    if (decider_value (u->decider, u->passes.data[k].literal))
      others = term_or (u->terms, others, term_not (u->terms, u->passes.data[k].literal));
  u->goals.data[index].literal = term_and (u->terms, u->goals.data[index].literal, others);
}

static void say_switches (deepening *z, const lazy_goal *g) {
  lazy_switches switches = {0};
  lazy_find_switches (&z->u, g, &switches);
  strbuf text = {0};
  for (uint32_t k = 0; k < switches.count; k++) {
    const lazy_switch *s = &switches.data[k];
    strbuf_printf (&text, " (r%u@%u,w%u@%u)", s->to, s->to_depth, s->from, s->from_depth);
  }
  diag_verbose (1, "lazy", "depth %u: %s%s%s", z->u.depth, ir_property_name[g->property],
                text.count ? ", switches" : "", strbuf_text (&text));
  strbuf_release (&text);
  vec_release (&switches);
}

static void found (deepening *z, const lazy_goal *g, uint32_t index) {
  claim c;
  const char *why = "no reason given";
  z->witnesses++;
  say_switches (z, g);
  lazy_trace (&z->u, z->run->program, g, &c);
  map_insert (&z->found, key_of (g, c.edge[1].i), 0, NULL);
  if (z->u.options.eager) map_insert (&z->closed, index, 0, NULL);
  else if (by_switches (z, g)) exclude_passes (z, index);
  reported r = engine_report_if_true (z->run, &c, &why);
  z->bugs += r == REPORTED_NEW;
  if (r == TOO_LARGE_TO_REPLAY) z->doubt = reason_new (z->run->verdict->arena, REASON_ENGINE, why);
  if (r == DOES_NOT_REPLAY)
    z->doubt = reason_internal (z->run->verdict->arena, "a trace of engine lazy does not replay: %s", why);
}

static void look_at_model (deepening *z) {
  lazy_model *u = &z->u;
  for (uint32_t k = 0; k < u->goals.count; k++)
    if (is_open (z, &u->goals.data[k]) && decider_value (u->decider, u->goals.data[k].literal)) {
      lazy_goal g = u->goals.data[k];
      if (lazy_lost_value (u, &g)) z->refinements++;
      else found (z, &g, k);
      return;
    }
  for (uint32_t k = 0; k < u->losses.count; k++) {
    const lazy_loss *l = &u->losses.data[k];
    if ((l->is_cut ? z->cut != NULL : z->doubt != NULL) || !decider_value (u->decider, l->literal)) continue;
    lazy_goal g = {.property = IR_NUM_PROPERTIES, .literal = l->literal, .thread = l->thread, .depth = l->depth};
    if (lazy_lost_value (u, &g)) z->refinements++;
    else if (l->is_cut) z->cut = l->what;
    else z->doubt = reason_of_edge (z->run->verdict->arena, z->run->program, l->edge, l->edge, l->what);
    return;
  }
}

// What there is to ask: goals, and ways for the token to go.
static uint64_t size_of_question (const deepening *z) {
  return (uint64_t) z->u.goals.count + z->u.losses.count + z->u.passes.count;
}

static void note_asked (deepening *z) {
  z->asked_size = size_of_question (z);
  z->asked_depth = z->u.depth;
}

// Asking at every depth costs more than it tells, since the questions of before are asked again each time.  So the next
// time comes when there is a little more to ask; where nothing is new the last answer holds.
static bool is_due (deepening *z) {
  uint64_t size = size_of_question (z);
  if (size == z->asked_size && z->asked_depth) note_asked (z);
  return size - z->asked_size > z->asked_size / GROWTH_TO_ASK;
}

// False: it is over.
static bool ask_at_depth (deepening *z) {
  for (;;) {
    decided d = ask (z);
    const reason *spent = reason_of_budget (z->run->verdict->arena, z->run->budget);
    if (d == DECIDED_STOPPED) z->stopped = spent ? spent : &solver_gave_up;
    if (d == DECIDED_NO) note_asked (z);
    if (d != DECIDED_YES) return d == DECIDED_NO;
    cutoff_hold (true);
    look_at_model (z);
    cutoff_hold (false);
    if (engine_has_enough (z->run, z->bugs)) z->stopped = &stopped_at_first_bug;
    if (z->stopped || z->run->parted) return false;
  }
}

// ---- depths -----------------------------------------------------------------------------------------
static void say_progress (deepening *z) {
  engine_run *r = z->run;
  decider_stats s = decider_get_stats (z->u.decider);
  if (r->progress)
    r->progress (r->progress_state,
                 arena_printf (r->verdict->arena, "depth %u, %llu clauses, %u goals, %.0f s left", z->u.depth,
                               (unsigned long long) s.clauses, z->u.goals.count, budget_left (r->budget)));
  diag_verbose (2, "lazy", "depth %u: %llu clauses, %u passes, %u goals, %.2f s", z->u.depth,
                (unsigned long long) s.clauses, z->u.passes.count, z->u.goals.count, budget_elapsed (r->budget));
}

static void deepen (void *state) {
  deepening *z = state;
  uint64_t most = z->run->task->depth;
  for (;;) {
    lazy_model_grow (&z->u);
    say_progress (z);
    if (!z->stopped) z->stopped = reason_of_budget (z->run->verdict->arena, z->run->budget);
    if (z->stopped) return;
    bool ended = lazy_model_ended (&z->u), is_last = ended || (most && z->u.depth >= most);
    if ((is_last || is_due (z)) && !ask_at_depth (z)) return;
    z->complete = ended;
    if (is_last || (z->bugs && !z->run->task->exhaustive)) return;
  }
}

// ---- the answer -------------------------------------------------------------------------------------
// Bounds are in the verdict: functions without a body and the like, the depth, and what was cut.
static ending ending_of (const deepening *z) {
  const verdict *v = z->run->verdict;
  if (z->doubt || z->run->parted) return ending_unknown (z->doubt ? z->doubt : z->stopped);
  if (z->complete && !z->cut)
    return ending_proved_within (budget_completion (z->run->budget),
                                 "no execution violates it; every thread was followed to its end",
                                 reason_new (v->arena, REASON_BOUND, v->bounds.count ? v->bounds.data[0] : NULL));
  return z->asked_depth || z->cut ? ending_bounded (reason_new (v->arena, REASON_BOUND, v->bounds.data[0]))
                                  : ending_unknown (z->stopped);
}

static void add_bounds (deepening *z) {
  bool within = !z->doubt && !z->run->parted && (z->asked_depth || z->cut);
  if (within && !z->complete) verdict_add_bound (z->run->verdict, "depth %u", z->asked_depth);
  if (within && z->cut) verdict_add_bound (z->run->verdict, "%s", z->cut);
}

static void add_stats (deepening *z) {
  verdict *v = z->run->verdict;
  decider_stats s = decider_get_stats (z->u.decider);
  uint32_t widest = 0, saturated = IR_NONE;
  for (uint32_t t = 0; t < z->u.lanes.count; t++) {
    const reach *r = &z->u.lanes.data[t].reach;
    for (uint32_t d = 0; d < r->depths.count; d++)
      if (r->depths.data[d].points.count > widest) widest = r->depths.data[d].points.count;
    if (r->saturated < saturated) saturated = r->saturated;
  }
  verdict_add_stat (v, "depth", z->asked_depth, NULL);
  verdict_add_stat (v, "points", z->u.m->points.count, NULL);
  verdict_add_stat (v, "idle_points", z->idle, NULL);
  verdict_add_stat (v, "movers", z->movers, NULL);
  verdict_add_stat (v, "most_points_at_a_depth", widest, NULL);
  verdict_add_stat (v, "variables", z->u.m->variables.count, NULL);
  verdict_add_stat (v, "passes", z->u.passes.count, NULL);
  verdict_add_stat (v, "passes_excluded", z->u.excluded, NULL);
  verdict_add_stat (v, "witnesses", z->witnesses,
                    arena_printf (v->arena, "ways of the token to the %u violations that are listed", z->bugs));
  verdict_add_stat (v, "refinements", z->refinements, NULL);
  verdict_add_stat (v, "sat_calls", s.calls, NULL);
  verdict_add_stat (v, "sat_variables", s.variables, NULL);
  verdict_add_stat (v, "sat_clauses", s.clauses, NULL);
}

static void conclude (deepening *z) {
  add_bounds (z);
  engine_summarise (z->run, ending_of (z));
  add_stats (z);
}

static void begin (void *state) {
  deepening *z = state;
  const task *t = z->run->task;
  z->why_not = engine_make_machine (z->run, t->semantics.properties, &z->m, &z->movers);
  if (z->why_not) return;
  efsm_add_syncs (&z->m);
  const lazy_options *given = lazy_options_of (t);
  if (given->pb) z->idle = efsm_balance (&z->m);
  diag_verbose (1, "lazy", "%u threads, %u points (%u idle), %u variables, %u call sites", z->m.threads.count,
                z->m.points.count, z->idle, z->m.variables.count, z->m.sites.count);
  decider *d = decider_new (&z->m.terms, given->solver, z->run->budget);
  lazy_model_options options = {.eager = z->eager,
                                .csr = given->csr,
                                .cxt = given->cxt,
                                .mtx = t->mtx,
                                .few_passes = t->mtx,
                                .few_values = true,
                                .properties = t->semantics.properties};
  lazy_model_init (&z->u, &z->m, d, options);
}

static void run (engine_run *r) {
  deepening z = {.run = r, .eager = lazy_options_of (r->task)->encoding == ENCODING_EAGER};
  cutoff out = {.budget = r->budget};
  if (!cutoff_run (&out, begin, &z)) z.why_not = reason_of_budget (r->verdict->arena, r->budget);
  if (z.why_not) {
    engine_give_up (r, z.why_not);
    return;
  }
  bool finished = cutoff_run (&out, deepen, &z);
  if (!finished) z.stopped = reason_of_budget (r->verdict->arena, r->budget);
  conclude (&z);
  if (!finished) return;  // memory is in the middle of some change
  decider *d = z.u.decider;
  lazy_model_release (&z.u);
  decider_free (d);
  efsm_release (&z.m);
  map_release (&z.found);
  map_release (&z.closed);
}

static bool applies (const ir_program *p, const task *t, const char **why_not) {
  (void) p;
  if (t->ltl) *why_not = "temporal properties are not for this engine";
  return !t->ltl;
}

const engine engine_lazy = {.name = "lazy",
                            .summary = "bounded model checking by steps: threads pass a token; bugs within a depth",
                            .properties = ENGINE_COMMON_PROPERTIES & ~(1u << IR_P_DEADLOCK),
                            .applies = applies,
                            .asks_again = true,
                            .stops_at_conditions = true,
                            .run = run,
                            .ways = WAY_PROPERTIES,
                            .options = &lazy_option_table,
                            .honours = {[SHARED_PROPERTY] = WAY_PROPERTIES,
                                        [SHARED_REACH_PAIR] = WAY_PROPERTIES,
                                        [SHARED_ERROR_LABEL] = WAY_PROPERTIES,
                                        [SHARED_STOP_AT_FIRST] = WAY_PROPERTIES,
                                        [SHARED_EXHAUSTIVE] = WAY_PROPERTIES,
                                        [SHARED_DEPTH] = WAY_PROPERTIES,
                                        [SHARED_MAX_THREADS] = WAY_PROPERTIES,
                                        [SHARED_MTX] = WAY_PROPERTIES}};
