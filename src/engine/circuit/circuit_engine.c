// The engine `circuit` (paper CIRC): the program becomes a sequential circuit, which goes to bounded model checking for
// bugs and to IC3 for proofs. A proof needs no bound: it is an inductive invariant, which separate queries check before
// the engine uses it.
#include <string.h>

#include "base/cutoff.h"
#include "base/diag.h"
#include "engine/circuit/backend.h"
#include "engine/circuit/circuit_busy_wait.h"
#include "engine/circuit/circuit_check.h"
#include "engine/circuit/circuit_formula.h"
#include "engine/circuit/circuit_options.h"
#include "engine/circuit/groups.h"
#include "engine/circuit/parametric.h"
#include "engine/circuit/circuit_trace.h"
#include "engine/machine.h"
#include "ir/reason.h"
#include "prove/prove.h"

static const double PARAMETRIC_SHARE = 0.6;              // of a property's time: proofs for any number of threads
static const double LOOK_SHARE = 0.1, LOOK_SECONDS = 2;  // search for bugs before a proof for any number of threads
// of the time, if it also has to be shown that no execution is omitted
static const double GOALS_SHARE = 0.9;
// of the time: each property by itself; the rest: bugs of all properties at once
static const double ALONE_SHARE = 0.7;
static const double NEVER_SHARE = 0.1;      // of the time: check whether the reduction alone decides a property
static const double OMISSIONS_SHARE = 0.5;  // of the remaining time: omissions, while properties are open

static bool is_enough (const circuit_check *z) { return engine_has_enough (z->run, z->bugs); }

// ---- goals ------------------------------------------------------------------------------------------
// Returns a key of what goes wrong at which place of the program, the same for all threads; 0: the goal is about more
// than one place.
static uint64_t goal_source (const circuit_check *z, uint32_t goal) {
  const system_goal *g = &z->system.goals.data[goal];
  if (g->property == IR_P_RACE || g->property == IR_P_DEADLOCK) return 0;
  return (uint64_t) (z->system.m->points.data[g->point].goals.data[g->number].edge.i + 1) << 8 | g->property;
}

// Was the goal's violation reported already, in this thread or in another?
static bool is_reported_goal (const circuit_check *z, uint32_t goal) {
  uint64_t source = goal_source (z, goal);
  for (uint32_t k = 0; k < z->found.count && source; k++)
    if (z->found.data[k] == source) return true;
  return false;
}

// Reports the violation that the path shows. Returns false if no further violation can be reported.
static bool report_path (circuit_check *z, const net_path *path) {
  claim c;
  const char *why = "no reason given";
  uint32_t goal = circuit_trace (&z->system, &z->circuit, z->run->program, path, z->asked.data, &c);
  if (goal == IR_NONE) {
    z->doubt = reason_internal (z->run->verdict->arena, "a path of engine circuit leads to no goal");
    return false;
  }
  z->asked.data[goal] = false;
  z->proving = NULL;
  reported r = engine_report_if_true (z->run, &c, &why);
  z->bugs += r == REPORTED_NEW;
  if (r == REPORTED_NEW) vec_push (&z->found, goal_source (z, goal));
  for (uint32_t k = 0; k < z->system.goals.count; k++) z->asked.data[k] &= !is_reported_goal (z, k);
  arena *a = z->run->verdict->arena;
  if (r == TOO_LARGE_TO_REPLAY) z->doubt = reason_new (a, REASON_ENGINE, why);
  if (r == DOES_NOT_REPLAY)
    z->doubt = z->circuit.is_exact
                   ? reason_internal (a, "a trace of engine circuit does not replay: %s", why)
                   : reason_printf (a, REASON_ENGINE,
                                    "floats are any value: a trace of engine circuit does not replay: %s", why);
  return !is_enough (z);
}

// Asks until none of the requested goals is reachable, or until a query has no answer.
static prove_answer decide_selected_goals (circuit_check *z) {
  for (;;) {
    net_path path = {0};
    lower_goals (&z->system, z->asked.data, &z->circuit);
    prove_answer answer = circuit_query_bad_state (z, GOALS, &path);
    cutoff_hold (true);
    bool more = answer == PROVE_VIOLATED && report_path (z, &path);
    cutoff_hold (false);
    if (answer == PROVE_VIOLATED) net_path_release (&path);
    lowered_release (&z->circuit);
    if (!more) return answer;
  }
}

// ---- properties -------------------------------------------------------------------------------------
static uint32_t select_goals (circuit_check *z, uint32_t properties) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < z->system.goals.count; k++)
    count += z->asked.data[k] = has_property (properties, z->system.goals.data[k].property) && !is_reported_goal (z, k);
  return count;
}

static prove_answer answer_for (circuit_check *z, uint32_t properties, const budget *time) {
  z->time = time;
  z->asked_now = properties;
  return select_goals (z, properties) ? decide_selected_goals (z) : PROVE_HOLDS;
}

// Proofs for any number of threads exist for goals about one thread's step; a race is about the locations of two
// threads, a deadlock about all.
static bool is_parametric (circuit_check *z, ir_property p) {
  return p != IR_P_RACE && p != IR_P_DEADLOCK && !z->run->task->certificate && !backend_for (z->run->task) &&
         system_lacks_threads (&z->system, z->time);
}

// Searches bugs for a short time: a bug that a few threads show after a few steps should not wait for proofs about any
// number of threads.
static bool finds_bug_soon (circuit_check *z, ir_property p) {
  uint32_t before = z->bugs;
  const budget *all = z->time;
  budget part;
  circuit_start_share (&part, all, LOOK_SHARE, LOOK_SECONDS);
  z->time = &part;
  z->looks_only = true;
  answer_for (z, 1u << p, &part);
  z->looks_only = false;
  z->time = all;
  return z->bugs > before;
}

static bool prove_parametrically (circuit_check *z, circuit_group g, ir_property p) {
  parametric_proof m;
  budget part;
  circuit_start_share (&part, z->time, PARAMETRIC_SHARE, FOR_EVER);
  prove_parametric (z->run, g.properties, p, &part, &m);
  z->clauses += m.clauses;
  z->obligations += m.obligations;
  if (m.holds) {
    z->outcomes[p] =
        (circuit_result){.answer = PROVE_HOLDS, .is_parametric = true, .evidence = budget_completion (z->run->budget)};
    verdict_add_note (z->run->verdict,
                      "%s: proved for any number of threads started at %s, by an invariant about any %u of them",
                      ir_property_name[p], strbuf_text (&m.where), m.tracked);
  }
  parametric_proof_release (&m);
  return m.holds;
}

// Records the answer for these properties once the query has ended, and whether more can be tried.
static void record_answer (circuit_check *z, uint32_t properties, prove_answer answer, const budget *time) {
  bool is_final = answer == PROVE_HOLDS || budget_left (time) > 0 || z->doubt;
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) {
    circuit_result *o = &z->outcomes[p];
    if (!has_property (properties, p)) continue;
    o->answer = answer;
    o->evidence = budget_completion (z->run->budget);
    if (answer == PROVE_HOLDS) o->depth = 0, o->limit = NULL;
    if (is_final) z->open &= ~(1u << p);
  }
}

// Decides one property.
static void decide_property (circuit_check *z, circuit_group g, ir_property p) {
  budget part;
  bool is_last_chance = backend_for (z->run->task) != NULL;
  circuit_start_share (&part, z->run->budget,
                       (is_last_chance ? 1 : ALONE_SHARE) * (z->system.omissions.count ? GOALS_SHARE : 1) / z->left,
                       FOR_EVER);
  z->time = &part;
  z->proving = ir_property_name[p];
  z->left--;
  if (is_parametric (z, p) && !finds_bug_soon (z, p) && prove_parametrically (z, g, p)) {
    z->open &= ~(1u << p);
    return;
  }
  if (!is_enough (z)) record_answer (z, 1u << p, answer_for (z, 1u << p, &part), &part);
}

// Searches bugs of several properties at once: one search gets about as deep for all of them as for one.
static void search_bugs (circuit_check *z, uint32_t properties, uint32_t others) {
  uint32_t count = (uint32_t) __builtin_popcount (properties);
  budget part;
  if (!properties || is_enough (z)) return;
  circuit_start_share (&part, z->run->budget, (z->system.omissions.count ? GOALS_SHARE : 1) * count / (count + others),
                       FOR_EVER);
  z->proving = NULL;
  z->looks_only = true;
  prove_answer answer = answer_for (z, properties, &part);
  // otherwise a proof needs all interleavings
  if (backend_for (z->run->task)) record_answer (z, properties, answer, &part);
  z->looks_only = false;
}

// Decides the properties whose bad state the reduction of the circuit shows to be constant false.
static void decide_constant_properties (circuit_check *z, uint32_t properties) {
  budget part;
  circuit_start_share (&part, z->run->budget, NEVER_SHARE, FOR_EVER);
  z->never_only = true;
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES && !budget_spent (&part); p++) {
    if (!has_property (properties, p)) continue;
    z->proving = ir_property_name[p];
    if (answer_for (z, 1u << p, &part) == PROVE_HOLDS) record_answer (z, 1u << p, PROVE_HOLDS, &part);
  }
  z->never_only = false;
}

// Gives each property its share of the time, and then searches bugs of all open ones at once. Properties that are
// decided quickly leave their time to the others.
static void decide_open_properties (circuit_check *z, circuit_group g) {
  uint32_t open = g.settles & z->open;
  bool together = backend_for (z->run->task) == prove_by_bmc;
  if (together) {
    z->left -= (uint32_t) __builtin_popcount (open);
    if (open & (open - 1)) decide_constant_properties (z, open);
  }
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES && !together && !is_enough (z); p++)
    if (has_property (open, p)) decide_property (z, g, (ir_property) p);
  if (together || !backend_for (z->run->task)) search_bugs (z, open & z->open, z->left);
}

static const reason *omission_reason (const circuit_check *z, const system_omission *l) {
  if (l->edge.i == IR_NONE) return reason_new (z->run->verdict->arena, REASON_INTERNAL, l->what);
  return reason_of_edge (z->run->verdict->arena, z->run->program, l->edge, l->edge, l->what);
}

// Returns a reason that names an omission that was not shown to be unreachable.
static const reason *unexcluded_omission (const circuit_check *z) {
  const system_omission *best = NULL;
  for (uint32_t k = 0; k < z->system.omissions.count; k++) {
    const system_omission *l = &z->system.omissions.data[k];
    if (l->is_cut || term_is_false (&z->system.m->terms, l->holds)) continue;
    if (!best || ir_edge_at (z->run->program, l->edge)->op == IR_UNSUPPORTED) best = l;
  }
  arena *a = z->run->verdict->arena;
  if (!best) return reason_new (a, REASON_ENGINE, "it was not shown that no executions are left out");
  const reason *there = omission_reason (z, best);
  return reason_printf (a, there->kind, "%s; it was not shown that no execution comes there", there->text);
}

// Asks whether an omission is reachable. *loss: a reachable one.
static prove_answer query_omissions (circuit_check *z, system_omission *loss) {
  net_path path = {0};
  lower_goals (&z->system, z->asked.data, &z->circuit);
  prove_answer answer = circuit_query_bad_state (z, OMISSIONS, &path);
  if (answer == PROVE_VIOLATED) {
    const system_omission *found = circuit_trace_omission (&z->system, &z->circuit, z->run->program, &path);
    *loss = found ? *found
                  : (system_omission){.what = "internal error: a path of engine circuit leads to no loss",
                                      .edge = {IR_NONE}};
    net_path_release (&path);
  }
  lowered_release (&z->circuit);
  return answer;
}

static void remove_cuts (transition_system *s) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < s->omissions.count; k++)
    if (!s->omissions.data[k].is_cut) s->omissions.data[kept++] = s->omissions.data[k];
  s->omissions.count = kept;
}

static void decide_omissions (circuit_check *z, circuit_result *out) {
  while (z->system.omissions.count && !out->cut) {
    system_omission loss;
    out->answer = query_omissions (z, &loss);
    if (out->answer == PROVE_HOLDS) return;
    if (out->answer != PROVE_VIOLATED) out->cut = unexcluded_omission (z);
    else if (!loss.is_cut) out->cut = omission_reason (z, &loss);
    else out->limit = loss.what;
    z->proving = NULL;
    remove_cuts (&z->system);
  }
}

// Decides which omissions are reachable. If a bound omits executions, proofs hold within the bound; if the behaviour
// after some step is unknown, nothing is proved.
static void check_omissions (circuit_check *z, uint32_t proofs) {
  VEC (system_omission) all = {0};
  budget part;
  for (uint32_t k = 0; k < z->system.omissions.count; k++) vec_push (&all, z->system.omissions.data[k]);
  circuit_start_share (&part, z->run->budget, z->open ? OMISSIONS_SHARE : 1, FOR_EVER);
  z->time = &part;
  z->asked_now = proofs;  // if no omission is reachable up to a depth, they hold up to this depth
  z->proving = lowered_omission_name;
  z->omitted = (circuit_result){0};
  decide_omissions (z, &z->omitted);
  z->omitted_known = !z->omitted.cut || z->omitted.answer == PROVE_VIOLATED || budget_left (&part) > 0;
  vec_clear (&z->system.omissions);
  for (uint32_t k = 0; k < all.count; k++) vec_push (&z->system.omissions, all.data[k]);
  vec_release (&all);
}

// A thread that waits busily is not deadlocked, since it can step, but makes no progress: absence of deadlocks is not
// claimed.
static const reason *possible_busy_wait (circuit_check *z) {
  uint32_t step = system_busy_wait_step (&z->system, z->run->budget);
  if (step == IR_NONE) return NULL;
  const efsm_point *p = &z->system.m->points.data[z->system.steps.steps.data[step].point];
  ir_position at = p->steps.count ? ir_edge_at (z->run->program, p->steps.data[0].edge)->pos : (ir_position){0};
  return reason_printf (z->run->verdict->arena, REASON_ENGINE, "threads may wait busily for ever at %s:%u",
                        at.file ? at.file : "?", at.line);
}

// Returns the properties that are proved, but for which it is not known yet whether the proof omits executions.
static uint32_t proofs_without_check (const circuit_check *z, uint32_t properties) {
  uint32_t set = 0;
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) {
    const circuit_result *o = &z->outcomes[p];
    if (has_property (properties, p) && o->answer == PROVE_HOLDS && !o->is_parametric && !o->omissions_known)
      set |= 1u << p;
  }
  return set;
}

static void check_proofs_for_omissions (circuit_check *z, circuit_group g) {
  uint32_t proofs = proofs_without_check (z, g.settles);
  if (!proofs) return;
  if (!z->omitted_known) check_omissions (z, proofs);
  const circuit_result *omitted = &z->omitted;
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) {
    circuit_result *o = &z->outcomes[p];
    bool is_real = has_property (g.settles, p) && !o->is_parametric && omitted->answer == PROVE_VIOLATED;
    if (!has_property (proofs, p) && !(is_real && omitted->cut)) continue;
    o->cut = omitted->cut;
    if (z->omitted_known && has_property (proofs, p)) o->depth = 0, o->limit = NULL;
    if (!o->limit) o->limit = omitted->limit;
    if (!z->omitted_known && o->depth) o->cut = NULL;
    if (has_property (proofs, p) && p == IR_P_DEADLOCK && !o->cut) o->cut = possible_busy_wait (z);
    o->omissions_known = z->omitted_known;
  }
}

// Can more be tried, and is there time for it?
static bool can_try_more (const circuit_check *z, uint32_t properties) {
  bool is_open = properties & (z->open | proofs_without_check (z, z->run->task->semantics.properties));
  return is_open && !is_enough (z) && !z->doubt && !z->run->parted && !budget_spent (z->run->budget);
}

static void record_missing_circuit (circuit_check *z, circuit_group g, const reason *why) {
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) {
    circuit_result *o = &z->outcomes[p];
    if (has_property (g.settles & z->open, p) && !o->depth) *o = (circuit_result){.answer = PROVE_UNKNOWN, .cut = why};
  }
  z->left -= (uint32_t) __builtin_popcount (g.settles & z->open);
  z->open &= ~g.settles;
}

static bool build_circuit (circuit_check *z, circuit_group g, efsm *m) {
  const reason *why = engine_make_machine (z->run, g.properties, m, NULL);
  if (!why && (why = reason_new (z->run->verdict->arena, REASON_ENGINE, system_is_too_large (m)))) efsm_release (m);
  if (why) {
    record_missing_circuit (z, g, why);
    return false;
  }
  system_init (&z->system, m, z->run->program, g.properties);
  stubborn_sets_release (&z->sets);
  system_reduce (&z->system, z->reduction, &z->sets);
  vec_clear (&z->asked);
  for (uint32_t k = 0; k <= z->system.goals.count; k++) vec_push (&z->asked, false);
  diag_verbose (1, "circuit", "%u threads, %u steps of %u points, %u variables, %u goals", m->threads.count,
                z->system.steps.steps.count, m->points.count, m->variables.count, z->system.goals.count);
  return true;
}

// Builds one circuit (groups.h) and decides the properties that it settles. If no other circuit has open properties,
// this one is used for all rounds.
static void decide_group (circuit_check *z, circuit_group g, bool is_first_round) {
  efsm m;
  if (!build_circuit (z, g, &m)) return;
  if (is_first_round) z->steps += z->system.steps.steps.count;
  z->unnamed = is_first_round ? g.properties : 0;
  z->omitted_known = false;
  do {
    decide_open_properties (z, g);
    check_proofs_for_omissions (z, g);
    if (!z->left) z->left = (uint32_t) __builtin_popcount (z->open);
  } while (!(z->open & ~g.settles) && !proofs_without_check (z, ~g.settles) && can_try_more (z, g.settles));
  system_release (&z->system);
  efsm_release (&m);
}

// Goes through the circuits in rounds: properties that are settled leave their share of the time to the others.
static void decide_groups (void *state) {
  circuit_check *z = state;
  z->open = z->run->task->semantics.properties;
  bool is_first = true;
  do {
    z->left = (uint32_t) __builtin_popcount (z->open);
    for (uint32_t k = 0; k < NUM_CIRCUIT_GROUPS && !is_enough (z); k++) {
      circuit_group g = circuit_group_of (z->run->task->semantics.properties, k);
      if (is_first ? g.settles : g.settles & (z->open | proofs_without_check (z, g.settles)))
        decide_group (z, g, is_first);
    }
    is_first = false;
  } while (can_try_more (z, UINT32_MAX));
}

// ---- the engine --------------------------------------------------------------------------------------
static system_reduction circuit_reduction (reduction_choice r) {
  return r == REDUCTION_STUBBORN ? REDUCE_STUBBORN : r == REDUCTION_NONE ? REDUCE_NOTHING : REDUCE_LOCK_PATTERNS;
}

static void run_circuit (engine_run *r) {
  reduction_choice asked = circuit_options_of (r->task)->reduction;
  circuit_check z = {.run = r, .reduction = circuit_reduction (asked), .proves_without = asked == REDUCTION_AUTO};
  if (r->task->ltl) {
    circuit_decide_formula (r);
    return;
  }
  cutoff out = {.budget = r->budget};
  bool finished = cutoff_run (&out, decide_groups, &z);
  circuit_conclude (&z);
  if (!finished) return;  // the jump may have left data structures in the middle of a change: do not free them
  vec_release (&z.asked);
  vec_release (&z.found);
  strbuf_release (&z.certificate);
  stubborn_sets_release (&z.sets);
}

static bool applies_circuit (const ir_program *p, const task *t, const char **why_not) {
  bool of_threads = t->ltl && ltl_is_of_threads (t->ltl);
  reduction_choice reduction = circuit_options_of (t)->reduction;
  if (of_threads) *why_not = "temporal properties of single threads are not for this engine";
  else if (t->ltl) return true;
  else if (p->place.i)
    *why_not = "engine circuit decides assertions, races, deadlocks, misuse of locks, memory errors, overflows and "
               "uninitialised values only";
  else if (reduction == REDUCTION_LEFT_MOVERS || reduction == REDUCTION_TRANSACTIONS)
    *why_not = "of the reductions engine circuit has auto, none, stubborn and lock-patterns";
  else return true;
  return false;
}

const engine engine_circuit = {.name = "circuit",
                               .summary = "a sequential circuit: invariants by IC3, proofs without bounds",
                               .properties = ENGINE_COMMON_PROPERTIES,
                               .applies = applies_circuit,
                               .asks_again = true,
                               .stops_at_conditions = true,
                               .run = run_circuit,
                               .options_fit = backend_fits,
                               .ways = WAY_PROPERTIES | WAY_FORMULA,
                               .options = &circuit_option_table,
                               .honours = {[SHARED_PROPERTY] = WAY_PROPERTIES,
                                           [SHARED_LTL] = WAY_FORMULA,
                                           [SHARED_FAIR] = WAY_FORMULA,
                                           [SHARED_ERROR_LABEL] = WAY_PROPERTIES,
                                           [SHARED_STOP_AT_FIRST] = WAY_PROPERTIES,
                                           [SHARED_MAX_THREADS] = WAY_PROPERTIES | WAY_FORMULA,
                                           [SHARED_JOBS] = WAY_PROPERTIES,
                                           [SHARED_CERTIFICATE] = WAY_PROPERTIES,
                                           [SHARED_MTX] = WAY_PROPERTIES}};
