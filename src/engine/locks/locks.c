// The engine `locks`: it proves absent what lock sets, acquisition histories, creation and joining exclude, and lists
// the rest as possible, for an exact engine to confirm or refute (LOCK section 9).
#include "analysis/tickets.h"
#include "base/cutoff.h"
#include "base/diag.h"
#include "engine/engine.h"
#include "engine/locks/show/show.h"
#include "ir/reason.h"

static bool property_is_selected (const engine_run *r, ir_property p) { return r->task->semantics.properties >> p & 1; }

// `open`: why the property is not proved; NULL: it is.  `all_listed`: the goals list every possible violation.
static void settle_lock_property (engine_run *r, ir_property p, const reason *open, bool all_listed) {
  verdict *v = r->verdict;
  const char *how = "excluded by locks, creation and joining of threads";
  const reason *bound = reason_new (v->arena, REASON_BOUND, v->bounds.count ? v->bounds.data[0] : NULL);
  ending e = open ? ending_unknown (open) : ending_proved_within (budget_completion (r->budget), how, bound);
  if (e.status == GOAL_BOUNDED) e.message = how;
  engine_summarise_one (r, p, e);
  v->answers[p].all_listed = open && all_listed && budget_completion (r->budget).is_complete;
}

static const reason *lock_reason (engine_run *r, const char *text) {
  return reason_new (r->verdict->arena, REASON_ENGINE, text);
}

// ---- races -----------------------------------------------------------------------------------------------------
static void check_races (engine_run *r, lock_analysis *a, reporting *reports) {
  access_table t;
  possible_races found = {0};
  access_table_init (&t, a);
  race_coverage coverage = find_possible_races (&t, r->budget, &found);
  verdict_add_stat (r->verdict, "shared_accesses", t.accesses.count, NULL);
  verdict_add_stat (r->verdict, "possible_races", found.count, NULL);
  bool all_listed = report_races (reports, &t, &found) && coverage == RACES_ALL && !t.anywhere.count;
  add_protections (r->verdict, &t, &reports->names, &found, coverage != RACES_SPENT);
  const reason *open = lock_reason (r, coverage == RACES_SPENT ? "the time was spent before all pairs were looked at"
                                       : t.anywhere.count      ? "an access may touch anything"
                                                               : NULL);
  if (found.count)
    open = reason_printf (r->verdict->arena, REASON_ENGINE, "%s%u pair%s of accesses may happen in parallel",
                          coverage == RACES_ALL ? "" : "at least ", found.count, found.count == 1 ? "" : "s");
  settle_lock_property (r, IR_P_RACE, open, all_listed);
  vec_release (&found);
  access_table_release (&t);
}

// ---- deadlocks -------------------------------------------------------------------------------------------------
// Why there may be deadlocks that were not found, or NULL.
static const reason *open_deadlocks (engine_run *r, const deadlocks *d) {
  arena *arena = r->verdict->arena;
  if (d->spent) return lock_reason (r, "not all cycles of waiting threads were looked at");
  if (d->analysis->overflowed) return lock_reason (r, "too many locks are held at once to tell them apart");
  ir_edge busy = d->uncovered ? d->uncovered_at : find_busy_waiting (d->analysis);
  if (busy.i == IR_NONE) return NULL;
  return reason_at (arena, d->analysis->program, busy,
                    d->uncovered ? arena_printf (arena, "waiting at %s is not covered", d->uncovered)
                                 : "threads may wait busily");
}

static void check_deadlocks (engine_run *r, lock_analysis *a, reporting *reports) {
  locksets g;
  deadlocks d;
  locksets_init (&g, a);
  deadlocks_init (&d, a, &g, r->budget);
  verdict_add_stat (r->verdict, "waiting_states", d.states.count, NULL);
  verdict_add_stat (r->verdict, "possible_deadlocks", d.found.count, NULL);
  for (uint32_t k = 0; k < d.found.count; k++) report_deadlock (reports, &d, &d.found.data[k]);
  const reason *beyond = open_deadlocks (r, &d), *open = beyond;
  if (d.found.count)
    open = reason_printf (r->verdict->arena, REASON_ENGINE, "%u possible cycle%s of waiting threads", d.found.count,
                          d.found.count == 1 ? "" : "s");
  settle_lock_property (r, IR_P_DEADLOCK, open, !beyond);
  deadlocks_release (&d);
  locksets_release (&g);
}

// ---- misuse ----------------------------------------------------------------------------------------------------
static void check_misuse (engine_run *r, lock_analysis *a, reporting *reports) {
  misuses m;
  arena *arena = r->verdict->arena;
  misuses_init (&m, a);
  for (uint32_t k = 0; k < m.found.count; k++) report_misuse (reports, a, &m.found.data[k]);
  const reason *open = NULL;
  if (m.found.count) open = reason_printf (arena, REASON_ENGINE, "%u operations may misuse locks", m.found.count);
  else if (m.uncovered) {
    open = reason_at (arena, a->program, m.uncovered_at, arena_printf (arena, "%s is not followed", m.uncovered));
  }
  settle_lock_property (r, IR_P_LOCKS, open, !m.uncovered);
  misuses_release (&m);
}

// ---- the run ---------------------------------------------------------------------------------------------------
static bool locks_apply (const ir_program *p, const task *t, const char **why_not) {
  (void) p;
  if (t->ltl) return true;
  if (t->semantics.may_fail) {
    *why_not = "engine locks takes it that taking a lock does not fail (--may-fail)";
    return false;
  }
  uint32_t mine = 1u << IR_P_RACE | 1u << IR_P_DEADLOCK | 1u << IR_P_LOCKS;
  if (t->semantics.properties & mine) return true;
  *why_not = "engine locks decides races, deadlocks and misuse of locks only";
  return false;
}

// A construct that is not modelled may do anything, so nothing is proved where a thread may execute one.
static void doubt_unsupported (engine_run *r, const lock_analysis *a) {
  tickets *numbers = tickets_new (a->program, a->targets);
  for (uint32_t e = 0; e < a->program->edges.count; e++) {
    const ir_edge_data *d = &a->program->edges.data[e];
    if (d->op != IR_UNSUPPORTED || !tickets_allow (numbers, d->from)) continue;
    for (uint32_t k = 0; k < threads_count (a->threads); k++)
      if (threads_runs (a->threads, k, d->from)) {
        verdict_add_bound (r->verdict, "%s, taken to change nothing",
                           reason_unsupported (r->verdict->arena, a->program, (ir_edge){e}, d->message)->text);
        break;
      }
  }
  tickets_free (numbers);
}

// Properties that this engine does not decide.
static void leave_other_properties_open (engine_run *r) {
  static const reason not_decided = {REASON_NOT_CHECKED, "engine locks does not decide it", {0}};
  for (unsigned p = 0; p < IR_NUM_PROPERTIES; p++)
    if (property_is_selected (r, (ir_property) p) && p != IR_P_RACE && p != IR_P_DEADLOCK && p != IR_P_LOCKS)
      settle_lock_property (r, (ir_property) p, &not_decided, false);
}

typedef struct analysing {
  engine_run *run;
  ir_program *program;
  lock_analysis analysis;
} analysing;

static void analyse_locks (void *state) {
  analysing *z = state;
  z->program = clone_per_call (z->run->program);
  lock_analysis_init (&z->analysis, z->program, z->run->budget);
}

static void give_up_on_locks (engine_run *r) {
  engine_summarise (r, ending_unknown (reason_of_budget (r->verdict->arena, r->budget)));
}

static void find_all (engine_run *r, lock_analysis *a) {
  reporting reports;
  reporting_init (&reports, r, a);
  doubt_unsupported (r, a);
  if (r->program->place.i) settle_lock_property (r, IR_P_RACE, check_reach_pair (r, a), false);
  else if (property_is_selected (r, IR_P_RACE)) check_races (r, a, &reports);
  if (property_is_selected (r, IR_P_DEADLOCK)) check_deadlocks (r, a, &reports);
  if (property_is_selected (r, IR_P_LOCKS)) check_misuse (r, a, &reports);
  reporting_release (&reports);
  add_lock_graph (r->verdict, a);
  add_lock_imbalances (r->verdict, a);
  const char *note = nesting_note (a, r->verdict->arena);
  if (note) verdict_add_note (r->verdict, "%s", note);
  leave_other_properties_open (r);
}

static void run_lock_engine (engine_run *r) {
  if (r->task->ltl) {
    engine_pushdown.run (r);
    return;
  }
  analysing z = {.run = r};
  cutoff out = {.budget = r->budget};
  if (!cutoff_run (&out, analyse_locks, &z)) {
    give_up_on_locks (r);
    return;
  }
  lock_analysis *a = &z.analysis;
  verdict_add_stat (r->verdict, "lock_nodes", a->nodes.count, NULL);
  verdict_add_stat (r->verdict, "lock_effects", intern_count (&a->effects.table), NULL);
  verdict_add_stat (r->verdict, "lock_contexts", a->contexts.count, NULL);
  if (budget_spent (r->budget)) give_up_on_locks (r);
  else find_all (r, a);
  lock_analysis_release (a);
  ir_program_free (z.program);
}

const engine engine_locks = {.name = "locks",
                             .summary = "lock sets and acquisition histories; proofs for large programs",
                             .properties = ENGINE_COMMON_PROPERTIES & ~(1 << IR_P_UNINIT),
                             .applies = locks_apply,
                             .run = run_lock_engine,
                             .ways = WAY_PROPERTIES | WAY_THREADS,
                             .covers_all = true,
                             .honours = {[SHARED_PROPERTY] = WAY_PROPERTIES,
                                         [SHARED_LTL] = WAY_THREADS,
                                         [SHARED_REACH_PAIR] = WAY_PROPERTIES,
                                         [SHARED_LOCK_REPORT] = WAY_PROPERTIES,
                                         [SHARED_LOCK_GRAPH] = WAY_PROPERTIES}};
