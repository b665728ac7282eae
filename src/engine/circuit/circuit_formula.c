// Decides a formula about the whole program (docs/formats/ltl.md): is there a run that breaks it? The system together
// with the automaton of such runs (runs.h) becomes a circuit with a justice property (prove/prove_live.h). A lasso of
// the circuit is executed on the machine and then by the interpreter; a proof counts if no execution was omitted.
#include "engine/circuit/circuit_formula.h"

#include "base/cutoff.h"
#include "base/diag.h"
#include "base/limits.h"
#include "engine/circuit/backend.h"
#include "engine/circuit/runs.h"
#include "engine/circuit/circuit_trace.h"
#include "engine/machine.h"
#include "netlist/netlist_reduce.h"
#include "netlist/netlist_simulate.h"
#include "prove/prove_live.h"

enum { OMISSIONS = 1 };                               // the bad state of the circuit
enum { EQUAL_CONFLICTS = 200, EQUAL_ANDS = 200000 };  // limits of the search for equal latches
static const double OMISSIONS_SHARE = 0.2;            // share of the time for omissions

typedef struct circuit_formula_check {
  engine_run *run;
  temporal formula;
  circuit_propositions propositions;
  efsm machine;
  transition_system system;
  lowered circuit;
  uint64_t latches, ands, clauses, obligations;
  uint32_t depth;
  bool broken;
  bool unchecked;  // there is a proof, but there was no time to check it
} circuit_formula_check;

// ---- answers ----------------------------------------------------------------------------------------
static void conclude_open_formula (engine_run *r, const reason *why) {
  engine_summarise_formula (r, ending_unknown (why));
}

static void conclude_without_proof (engine_run *r, const char *why) {
  conclude_open_formula (r, reason_new (r->verdict->arena, REASON_ENGINE, why));
}

static void conclude_holding (circuit_formula_check *d) {
  verdict *v = d->run->verdict;
  const char *holds = arena_printf (v->arena, "`%s` holds on every%s run", d->formula.text,
                                    d->run->task->fair ? " fair" : ""),
             *gap = v->bounds.count ? vec_last (&v->bounds) : NULL;  // for example functions without a body
  ending e = ending_proved_within (budget_completion (d->run->budget), holds, reason_new (v->arena, REASON_BOUND, gap));
  if (e.status == GOAL_BOUNDED) e.message = holds;
  engine_summarise_formula (d->run, e);
}

static void give_up_late (circuit_formula_check *d) {
  arena *a = d->run->verdict->arena;
  const reason *spent = reason_of_budget (a, d->run->budget);
  if (d->unchecked) {
    conclude_without_proof (d->run, "a proof was found, but there was no time to check it");
    return;
  }
  conclude_open_formula (d->run, reason_printf (a, spent ? spent->kind : REASON_ENGINE,
                                                "%s; no run of at most %u large steps breaks it",
                                                spent ? spent->text : "no proof was found", d->depth));
}

// ---- runs -------------------------------------------------------------------------------------------
// The state of the circuit has repeated; the program has more state, which may need some more repetitions of the loop.
static void report_lasso (circuit_formula_check *d, const net_path *path) {
  const char *why = NULL;
  for (uint32_t before = 0; before <= LIMIT_CIRCUIT_STEM_ROUNDS; before++)
    for (uint32_t inside = 1; inside <= LIMIT_CIRCUIT_LOOP_ROUNDS; inside++) {
      claim c;
      circuit_trace_run (&d->system, &d->circuit, d->run->program, path, before, inside, &c);
      c.property = IR_P_FORMULA;
      if (engine_report_run_if_true (d->run, &d->formula, &c, &why)) return;
    }
  limit_met (CIRCUIT_STEM_ROUNDS);
  limit_met (CIRCUIT_LOOP_ROUNDS);
  conclude_without_proof (
      d->run,
      arena_printf (d->run->verdict->arena, "%s: %s",
                    d->circuit.is_exact ? "a run of engine circuit does not replay" : "floats are any value", why));
}

// ---- the circuit ------------------------------------------------------------------------------------
static void reduce_formula_circuit (circuit_formula_check *d, net_reduction *r, const net_goals *goals) {
  net_reduce_options o = {.budget = d->run->budget, .conflicts = EQUAL_CONFLICTS, .max_ands = EQUAL_ANDS};
  net_reduce (r, &d->circuit.circuit, goals, &o);
  diag_verbose (1, "circuit", "%u latches and %u gates, of %u and %u", r->after.latches, r->after.ands,
                r->before.latches, r->before.ands);
}

static void count_proof_work (circuit_formula_check *d, const prove_result *p) {
  d->clauses += p->clauses;
  d->obligations += p->obligations;
  if (p->answer == PROVE_BOUNDED) d->depth = p->depth;
}

// An execution that was omitted or broken off proves nothing: no such step may be reachable, whatever the constraints.
static bool nothing_is_left_out (circuit_formula_check *d) {
  uint32_t bad = OMISSIONS;
  net_reduction r;
  prove_result p;
  if (!d->system.omissions.count) return true;
  d->system.constraints.count = d->system.justice.count = 0;
  lower_goals (&d->system, NULL, &d->circuit);
  reduce_formula_circuit (d, &r, &(net_goals){.bads = &bad, .num_bads = 1});
  prove_by_ic3 (&r.circuit, 0,
                &(prove_options){.budget = d->run->budget, .say = show_backend_progress, .say_state = d->run}, &p);
  count_proof_work (d, &p);
  bool good = p.answer == PROVE_HOLDS && certificate_is_good (&r.circuit, 0, &p.certificate, d->run->budget);
  prove_result_release (&p);
  net_reduction_release (&r);
  lowered_release (&d->circuit);
  return good;
}

// Returns true if the formula is proved. A run that breaks it has been reported.
static bool search_lasso_or_proof (circuit_formula_check *d, const net_reduction *r) {
  budget time;
  budget_part (&time, d->run->budget, budget_left (d->run->budget) * (1 - OMISSIONS_SHARE));
  prove_options o = {.budget = &time, .say = show_backend_progress, .say_state = d->run};
  prove_result p;
  live_proof how;
  net_path path;
  backend *chosen = backend_for (d->run->task);
  if (chosen) prove_live_by (&r->circuit, 0, chosen, &o, &p, &how);
  else prove_live (&r->circuit, 0, &o, &p, &how);
  count_proof_work (d, &p);
  bool good = p.answer == PROVE_HOLDS && live_proof_is_good (&r->circuit, 0, how, &p.certificate, d->run->budget);
  d->unchecked = p.answer == PROVE_HOLDS && !good;
  if (p.answer == PROVE_VIOLATED) {
    d->broken = true;
    if (!net_reduction_lift (r, &d->circuit.circuit, &p.path, &path))
      conclude_without_proof (d->run, "a run repeats in what the formula depends on, but not in all of its state");
    else {
      CHECK (net_path_shows_justice (&d->circuit.circuit, 0, &path),
             "a lasso of a reduced circuit should be one of the circuit");
      cutoff_hold (true);
      report_lasso (d, &path);
      cutoff_hold (false);
      net_path_release (&path);
    }
  }
  prove_result_release (&p);
  return good;
}

static bool is_proved (circuit_formula_check *d) {
  uint32_t justice = 0;
  net_reduction r;
  lower_goals (&d->system, NULL, &d->circuit);
  reduce_formula_circuit (d, &r, &(net_goals){.justice = &justice, .num_justice = 1});
  d->latches = r.after.latches, d->ands = r.after.ands;
  bool good = search_lasso_or_proof (d, &r);
  net_reduction_release (&r);
  lowered_release (&d->circuit);
  return good;
}

static void add_formula_stats (circuit_formula_check *d) {
  verdict *v = d->run->verdict;
  verdict_add_stat (v, "steps", d->system.steps.steps.count, NULL);
  verdict_add_stat (v, "latches", d->latches, NULL);
  verdict_add_stat (v, "gates", d->ands, NULL);
  verdict_add_stat (v, "automaton_states", d->formula.broken.states.count, NULL);
  verdict_add_stat (v, "clauses", d->clauses, NULL);
  verdict_add_stat (v, "obligations", d->obligations, NULL);
}

static void decide_formula (circuit_formula_check *d) {
  const char *why;
  system_init (&d->system, &d->machine, d->run->program, 0);
  if (!circuit_propositions_make (&d->propositions, &d->system, &why)) conclude_without_proof (d->run, why);
  else {
    runs_add (&d->system, d->run->program, &d->propositions, d->run->task->fair);
    bool proved = is_proved (d);
    if (proved && nothing_is_left_out (d)) conclude_holding (d);
    else if (proved) conclude_without_proof (d->run, "some executions were left out");
    else if (!d->broken) give_up_late (d);
    add_formula_stats (d);
  }
  system_release (&d->system);
}

static void run_formula_check (void *state) {
  circuit_formula_check *d = state;
  engine_run *r = d->run;
  ltl_error error;
  const char *why = NULL;
  if (!temporal_init (&d->formula, r->program, r->task->ltl, &error)) why = error.message;
  else if (d->formula.has_next) why = "engine circuit does not count steps, as X does: engine explicit decides it";
  else if (!temporal_add_automaton (&d->formula)) why = "the formula is too large";
  bool watched = !why && circuit_propositions_init (&d->propositions, &d->formula, &why);
  const reason *unmade = watched ? engine_make_watched_machine (r, &d->propositions.watch, &d->machine) : NULL;
  bool is_made = watched && !unmade;
  if (is_made && (why = system_is_too_large (&d->machine))) efsm_release (&d->machine);
  if (unmade) conclude_open_formula (r, unmade);
  else if (why) conclude_without_proof (r, why);
  else {
    decide_formula (d);
    efsm_release (&d->machine);
  }
  circuit_propositions_release (&d->propositions);
  temporal_release (&d->formula);
}

void circuit_decide_formula (engine_run *r) {
  circuit_formula_check d = {.run = r};
  cutoff out = {.budget = r->budget};
  if (!cutoff_run (&out, run_formula_check, &d) && !d.broken) give_up_late (&d);
}
