// Engine `boolean`: Boolean programs by symbolic simulation (Cook, Kroening, Sharygina 2005, "Symbolic model checking
// for asynchronous Boolean programs").
#include <time.h>

#include "base/diag.h"
#include "engine/boolean/boolean_options.h"
#include "engine/boolean/refinement_loop.h"
#include "engine/boolean/boolean_reduce.h"
#include "engine/boolean/boolean_trace.h"
#include "engine/engine.h"

typedef struct boolean_run {
  engine_run *run;
  symbolic_search search;
  budget budget;  // the budget of the run, with a callback for progress
  uint64_t bugs;
  uint64_t search_us;  // processor time
} boolean_run;

static bool applies_boolean (const ir_program *p, const task *t, const char **why_not) {
  if (t->ltl) *why_not = "temporal properties are not for this engine";
  else if (!t->boolean && p->place.i) *why_not = "engine boolean does not decide --reach-pair";
  else if (!t->boolean && !(t->semantics.properties & BOOLEAN_PROPERTIES))
    *why_not = "engine boolean decides assertions, misuse of locks, memory errors, overflows and uninitialised values "
               "of C programs only";
  else if (t->boolean && t->semantics.properties & ~(1u << IR_P_ASSERT))
    *why_not = "engine boolean decides assertions only (--property=assert)";
  else if (t->depth) *why_not = "engine boolean follows all executions to their ends: --depth is not for it";
  else return true;
  return false;
}

// ---- options ----------------------------------------------------------------------------------------
void boolean_set_options (const task *t, search_options *o) {
  const boolean_options *given = boolean_options_of (t);
  o->por = given->por;
  o->qbf = given->qbf;
  o->form = given->qbf_form;
  o->plain = given->parameters == PARAMETERS_PLAIN;
  o->max_threads = t->semantics.max_threads;
}

// ---- findings ---------------------------------------------------------------------------------------
static bool report_failing_assertion (void *state, const symbolic_search *s, uint32_t at, uint32_t thread) {
  boolean_run *b = state;
  engine_run *r = b->run;
  claim c = {0};
  const char *why = NULL;
  if (!boolean_claim (s, at, thread, r->program, &r->task->semantics, r->verdict, &c, &why)) {
    if (budget_spent (r->budget)) return false;
    r->parted = why ? why : "no reason given";
    diag_warn ("internal error: a failing assertion found by engine boolean is no execution: %s", r->parted);
    return false;
  }
  b->bugs += engine_report (r, &c);
  return !r->parted && r->task->exhaustive && !r->task->stop_at_first;
}

static void show_simulation_progress (void *state) {
  boolean_run *b = state;
  const symbolic_search *s = &b->search;
  engine_progress (b->run, "%u symbolic states, %u to look at, %llu bugs", s->history.states.count,
                   s->history.states.count - s->next, (unsigned long long) b->bugs);
}

// ---- the answer -------------------------------------------------------------------------------------
static void add_solver_counts (const symbolic_search *s, verdict *v) {
  const subsumption *q = &s->subsumption;
  verdict_add_stat (v, "states", s->history.states.count, NULL);
  verdict_add_stat (v, "met_again", s->history.met_again, NULL);
  verdict_add_stat (v, "subsumed", s->history.subsumed, NULL);
  verdict_add_stat (v, "guards_refuted", s->refuted, NULL);
  verdict_add_stat (v, "qbf_calls_inputs", q->asked[QBF_INPUTS], NULL);
  verdict_add_stat (v, "qbf_calls_state", q->asked[QBF_STATE], NULL);
  verdict_add_stat (v, "qbf_tables", q->by_table, NULL);
  verdict_add_stat (v, "qbf_guesses", q->rounds, NULL);
  verdict_add_stat (v, "sat_calls", sat_num_calls (s->feasible.solver), NULL);
  verdict_add_stat (v, "sat_tables", s->feasible.by_table, NULL);
  if (s->reduction) {
    boolean_reduction_counts c = reduction_statistics (s->reduction);
    verdict_add_stat (v, "reduced_states", c.chosen, NULL);
    verdict_add_stat (v, "reduced_by_solver", c.by_solver, NULL);
    verdict_add_stat (v, "resumed_states", s->resumed, NULL);
    verdict_add_stat (v, "reduction_questions", c.questions, NULL);
    verdict_add_stat (v, "reduction_decisions", c.decisions, NULL);
  }
  verdict_add_stat (v, "and_gates", s->simulator.graph.num_ands, NULL);
}

static const reason *reason_for (const engine_run *r, const symbolic_search *s) {
  arena *a = r->verdict->arena;
  if (r->parted) return reason_new (a, REASON_INTERNAL, r->parted);
  if (s->stopped) return reason_copy (a, s->stopped);
  if (s->too_many_threads)
    return reason_printf (a, REASON_BOUND, "at most %u thread%s at once", s->options.max_threads,
                          s->options.max_threads == 1 ? "" : "s");
  return NULL;
}

static void conclude_boolean (boolean_run *b) {
  const symbolic_search *s = &b->search;
  engine_run *r = b->run;
  verdict *v = r->verdict;
  if (s->subsumption.disagreed) r->parted = "the two QBF solvers disagree";
  bool open = r->parted || s->stopped || (s->told_enough && !b->bugs);
  const reason *why = reason_for (r, s);
  ending rest = open ? ending_unknown (why)
                     : ending_proved_within (budget_completion (r->budget),
                                             "no reachable state violates it; all of them were simulated",
                                             s->too_many_threads ? why : NULL);
  if (rest.status == GOAL_BOUNDED) verdict_add_bound (v, "%s", why->text);
  engine_summarise (r, rest);
  add_solver_counts (s, v);
  verdict_add_stat (v, "search_us", b->search_us, NULL);
}

static uint64_t microseconds (void) {
  struct timespec t;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return (uint64_t) t.tv_sec * 1000000 + (uint64_t) t.tv_nsec / 1000;
}

static void check_boolean (engine_run *r) {
  boolean_run b = {.run = r, .budget = *r->budget};
  b.budget.watch = show_simulation_progress, b.budget.watch_state = &b;
  search_options o = {.budget = &b.budget, .violation = report_failing_assertion, .state = &b};
  boolean_set_options (r->task, &o);
  uint64_t start = microseconds ();
  search_init (&b.search, r->task->boolean, &o);
  search_run (&b.search);
  b.search_us = microseconds () - start;
  conclude_boolean (&b);
  search_release (&b.search);
}

static void run_boolean (engine_run *r) {
  if (r->task->boolean) check_boolean (r);
  else boolean_refine (r);
}

const engine engine_boolean = {
    .name = "boolean",
    .summary = "Boolean programs (*.bp), and predicate abstraction of C: symbolic simulation, refinement",
    .properties = ENGINE_COMMON_PROPERTIES,
    .applies = applies_boolean,
    .asks_again = true,
    .stops_at_conditions = true,
    .run = run_boolean,
    .ways = WAY_PROPERTIES | WAY_BOOLEAN,
    .options = &boolean_option_table,
    .honours = {[SHARED_PROPERTY] = WAY_PROPERTIES | WAY_BOOLEAN,
                [SHARED_ERROR_LABEL] = WAY_PROPERTIES,
                [SHARED_STOP_AT_FIRST] = WAY_PROPERTIES | WAY_BOOLEAN,
                [SHARED_EXHAUSTIVE] = WAY_BOOLEAN,
                [SHARED_MAX_THREADS] = WAY_PROPERTIES | WAY_BOOLEAN,
                [SHARED_MTX] = WAY_PROPERTIES}};
