// A formula about the whole program (docs/formats/ltl.md): is there a run that breaks it?  The system with the automaton of such runs beside it (runs.h) becomes a circuit with a justice
// property (prove/live.h).  A lasso of the circuit is executed on the machine and then by the interpreter; a proof counts if nothing was left out.
#include "engine/circuit/temporal.h"

#include "base/cutoff.h"
#include "base/diag.h"
#include "base/limits.h"
#include "engine/circuit/backend.h"
#include "engine/circuit/runs.h"
#include "engine/circuit/trace.h"
#include "engine/machine.h"
#include "netlist/reduce.h"
#include "netlist/simulate.h"
#include "prove/live.h"

enum { LOSSES = 1 };                                  // the bad state of the circuit
enum { EQUAL_CONFLICTS = 200, EQUAL_ANDS = 200000 };  // for latches that are equal
static const double LOSSES_SHARE = 0.2;               // of the time

typedef struct deciding {
  engine_run *run;
  temporal formula;
  letters letters;
  efsm machine;
  transition_system system;
  lowered circuit;
  uint64_t latches, ands, clauses, obligations;
  uint32_t depth;
  bool broken;
  bool unchecked;  // there is a proof, but no time to check it
} deciding;

// ---- answers -------------------------------------------------------------------------------------------------------------------------
static void leave_open (engine_run *r, const reason *why) { engine_summarise_formula (r, ending_unknown (why)); }

static void give_up (engine_run *r, const char *why) {
  leave_open (r, reason_new (r->verdict->arena, REASON_ENGINE, why));
}

static void accept (deciding *d) {
  verdict *v = d->run->verdict;
  const char *holds = arena_printf (v->arena, "`%s` holds on every%s run", d->formula.text,
                                    d->run->task->fair ? " fair" : ""),
             *gap = v->bounds.count ? vec_last (&v->bounds) : NULL;  // functions without a body and the like
  ending e = ending_proved_within (budget_completion (d->run->budget), holds, reason_new (v->arena, REASON_BOUND, gap));
  if (e.status == GOAL_BOUNDED) e.message = holds;
  engine_summarise_formula (d->run, e);
}

static void give_up_late (deciding *d) {
  arena *a = d->run->verdict->arena;
  const reason *spent = reason_of_budget (a, d->run->budget);
  if (d->unchecked) {
    give_up (d->run, "a proof was found, but there was no time to check it");
    return;
  }
  leave_open (d->run,
              reason_printf (a, spent ? spent->kind : REASON_ENGINE, "%s; no run of at most %u large steps breaks it",
                             spent ? spent->text : "no proof was found", d->depth));
}

// ---- runs ----------------------------------------------------------------------------------------------------------------------------
// What the circuit knows has repeated; the program has more, which may need some rounds more.
static void report (deciding *d, const net_path *path) {
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
  give_up (d->run, arena_printf (
                       d->run->verdict->arena, "%s: %s",
                       d->circuit.is_exact ? "a run of engine circuit does not replay" : "floats are any value", why));
}

// ---- the circuit ---------------------------------------------------------------------------------------------------------------------
static void say (void *user, const char *text) {
  engine_run *r = user;
  if (r->progress) r->progress (r->progress_state, text);
}

static void reduce (deciding *d, net_reduction *r, const net_goals *goals) {
  net_reduce_options o = {.budget = d->run->budget, .conflicts = EQUAL_CONFLICTS, .max_ands = EQUAL_ANDS};
  net_reduce (r, &d->circuit.circuit, goals, &o);
  diag_verbose (1, "circuit", "%u latches and %u gates, of %u and %u", r->after.latches, r->after.ands,
                r->before.latches, r->before.ands);
}

static void count (deciding *d, const prove_result *p) {
  d->clauses += p->clauses;
  d->obligations += p->obligations;
  if (p->answer == PROVE_BOUNDED) d->depth = p->depth;
}

// An execution that was left out, or broken off, proves nothing: whatever the constraints, no such step may be reached.
static bool nothing_is_left_out (deciding *d) {
  uint32_t bad = LOSSES;
  net_reduction r;
  prove_result p;
  if (!d->system.losses.count) return true;
  d->system.constraints.count = d->system.justice.count = 0;
  lower (&d->system, NULL, &d->circuit);
  reduce (d, &r, &(net_goals){.bads = &bad, .num_bads = 1});
  prove_by_ic3 (&r.circuit, 0, &(prove_options){.budget = d->run->budget, .say = say, .say_state = d->run}, &p);
  count (d, &p);
  bool good = p.answer == PROVE_HOLDS && certificate_is_good (&r.circuit, 0, &p.certificate, d->run->budget);
  prove_result_release (&p);
  net_reduction_release (&r);
  lowered_release (&d->circuit);
  return good;
}

// True: proved.  If there is a run, it has been reported.
static bool settle (deciding *d, const net_reduction *r) {
  budget time;
  budget_part (&time, d->run->budget, budget_left (d->run->budget) * (1 - LOSSES_SHARE));
  prove_options o = {.budget = &time, .say = say, .say_state = d->run};
  prove_result p;
  live_proof how;
  net_path path;
  backend *chosen = backend_for (d->run->task);
  if (chosen) prove_live_by (&r->circuit, 0, chosen, &o, &p, &how);
  else prove_live (&r->circuit, 0, &o, &p, &how);
  count (d, &p);
  bool good = p.answer == PROVE_HOLDS && live_proof_is_good (&r->circuit, 0, how, &p.certificate, d->run->budget);
  d->unchecked = p.answer == PROVE_HOLDS && !good;
  if (p.answer == PROVE_VIOLATED) {
    d->broken = true;
    if (!net_reduction_lift (r, &d->circuit.circuit, &p.path, &path))
      give_up (d->run, "a run repeats in what the formula depends on, but not in all of its state");
    else {
      CHECK (net_path_shows_justice (&d->circuit.circuit, 0, &path),
             "a lasso of a reduced circuit should be one of the circuit");
      cutoff_hold (true);
      report (d, &path);
      cutoff_hold (false);
      net_path_release (&path);
    }
  }
  prove_result_release (&p);
  return good;
}

static bool is_proved (deciding *d) {
  uint32_t justice = 0;
  net_reduction r;
  lower (&d->system, NULL, &d->circuit);
  reduce (d, &r, &(net_goals){.justice = &justice, .num_justice = 1});
  d->latches = r.after.latches, d->ands = r.after.ands;
  bool good = settle (d, &r);
  net_reduction_release (&r);
  lowered_release (&d->circuit);
  return good;
}

static void add_stats (deciding *d) {
  verdict *v = d->run->verdict;
  verdict_add_stat (v, "steps", d->system.steps.steps.count, NULL);
  verdict_add_stat (v, "latches", d->latches, NULL);
  verdict_add_stat (v, "gates", d->ands, NULL);
  verdict_add_stat (v, "automaton_states", d->formula.broken.states.count, NULL);
  verdict_add_stat (v, "clauses", d->clauses, NULL);
  verdict_add_stat (v, "obligations", d->obligations, NULL);
}

static void decide (deciding *d) {
  const char *why;
  system_init (&d->system, &d->machine, d->run->program, 0);
  if (!letters_make (&d->letters, &d->system, &why)) give_up (d->run, why);
  else {
    runs_add (&d->system, d->run->program, &d->letters, d->run->task->fair);
    bool proved = is_proved (d);
    if (proved && nothing_is_left_out (d)) accept (d);
    else if (proved) give_up (d->run, "some executions were left out");
    else if (!d->broken) give_up_late (d);
    add_stats (d);
  }
  system_release (&d->system);
}

static void work (void *state) {
  deciding *d = state;
  engine_run *r = d->run;
  ltl_error error;
  const char *why = NULL;
  if (!temporal_init (&d->formula, r->program, r->task->ltl, &error)) why = error.message;
  else if (d->formula.has_next) why = "engine circuit does not count steps, as X does: engine explicit decides it";
  else if (!temporal_add_automaton (&d->formula)) why = "the formula is too large";
  bool watched = !why && letters_init (&d->letters, &d->formula, &why);
  const reason *unmade = watched ? engine_make_watched_machine (r, &d->letters.watch, &d->machine) : NULL;
  bool is_made = watched && !unmade;
  if (is_made && (why = system_is_too_large (&d->machine))) efsm_release (&d->machine);
  if (unmade) leave_open (r, unmade);
  else if (why) give_up (r, why);
  else {
    decide (d);
    efsm_release (&d->machine);
  }
  letters_release (&d->letters);
  temporal_release (&d->formula);
}

void circuit_decide_formula (engine_run *r) {
  deciding d = {.run = r};
  cutoff out = {.budget = r->budget};
  if (!cutoff_run (&out, work, &d) && !d.broken) give_up_late (&d);
}
