// Retries an engine that has found a conditional violation.  Such a violation rests on an invented value: it is no bug
// and no end of the search, but the same place may go wrong without that value, and engines that query a solver give a
// place up once they have shown how it is reached.
//
// A bug that rests on no invented value exists for all of them.  So the engine works on programs in which the invented
// values are fixed (ir/settle.c), one after the other: a conditional violation is missing from some of these programs,
// a bug from none.  The traces are translated to traces of the original program and replayed there.  At last the engine
// works on the original program as usual, for all that holds on conditions only.
#include "engine/engine.h"

static const double FIRST_SHARE = 0.4, NEXT_SHARE = 0.25;  // of the remaining time, for one of these programs
static const double SECONDS_AFTER_BUG = 1;  // added to the time that the bug took: time for the rest of the search
#define FOR_EVER 1e9

bool engine_has_enough (const engine_run *r, uint32_t bugs) {
  return (bugs && r->task->stop_at_first) || (r->is_wary && r->conditional);
}

// ---- what a first search leaves in the verdict ----------------------------------------------------------------------
typedef struct lengths {
  uint32_t bounds, stats, notes, assumptions, protections;
} lengths;

static lengths lengths_of (const verdict *v) {
  return (lengths){v->bounds.count, v->stats.count, v->notes.count, v->assumptions.count, v->protections.count};
}

static bool has_status (const verdict *v, goal_status status) {
  for (uint32_t k = 0; k < v->goals.count; k++)
    if (v->goals.data[k].status == status) return true;
  return false;
}

// Forgets the answers of a search but not its findings: the last search gives the answers about the rest.
static void forget_answers (engine_run *r, lengths l) {
  verdict *v = r->verdict;
  answers_forget (v->answers, r->task->semantics.properties);
  v->bounds.count = l.bounds, v->stats.count = l.stats, v->notes.count = l.notes;
  v->assumptions.count = l.assumptions, v->protections.count = l.protections;
}

// ---- one program with fixed values ------------------------------------------------------------------
typedef struct retry_state {
  engine_run *run;  // on the original program
  const ir_program *settled;
} retry_state;

static void confirm_on_original (void *state, const claim *c) {
  retry_state *a = state;
  claim real;
  const char *why = NULL;
  if (!verdict_unsettle (a->settled, a->run->program, &a->run->task->semantics, c, &real)) return;
  reported r = engine_report_if_true (a->run, &real, &why);
  if (r == DOES_NOT_REPLAY || r == TOO_LARGE_TO_REPLAY) return;  // nothing that was known is lost
}

// Runs the engine on the program with fixed values.  True: it has found conditional violations there, so other fixed
// values may show more.
static bool run_on_fixed_program (const engine *e, engine_run *r, ir_settlement how) {
  budget part;
  verdict found;
  ir_program *settled = ir_settle (r->program, how);
  retry_state a = {.run = r, .settled = settled};
  double left = budget_left (r->budget) * (how == IR_SETTLE_ZERO ? FIRST_SHARE : NEXT_SHARE);
  budget_part (&part, r->budget, left > 0.001 ? left : 0.001);
  if (!r->budget->seconds) budget_part (&part, r->budget, 0);
  verdict_init (&found);
  engine_run run = *r;
  run.program = settled;
  run.budget = &part;
  run.verdict = &found;
  run.found = confirm_on_original;
  run.found_state = &a;
  run.conditional = 0;
  e->run (&run);
  verdict_release (&found);
  ir_program_free (settled);
  return run.conditional;
}

// ---- all of them ----------------------------------------------------------------------------------------------------
static void search_the_rest (const engine *e, engine_run *r, double seconds, lengths l) {
  budget part;
  const budget *all = r->budget;
  bool bug = has_status (r->verdict, GOAL_VIOLATED);
  forget_answers (r, l);
  if (bug && r->task->stop_at_first) {
    engine_summarise (r, ending_unknown (&stopped_at_first_bug));
    return;
  }
  budget_part (
      &part, all,
      bug && !r->task->exhaustive && seconds + SECONDS_AFTER_BUG < budget_left (all) ? seconds + SECONDS_AFTER_BUG : 0);
  r->budget = &part;
  e->run (r);
  r->budget = all;
}

static void run_on_next_fixed_programs (const engine *e, engine_run *r, ir_settlement first) {
  for (ir_settlement how = first; how < IR_NUM_SETTLEMENTS; how++) {
    if (!has_status (r->verdict, GOAL_CONDITIONAL) || budget_spent (r->budget)) return;
    if (!run_on_fixed_program (e, r, how)) return;
  }
}

// Begins with a program whose invented values are fixed, which is small: a value that a solver treats as one has many
// values in a search of concrete states.
static void search_small_first (const engine *e, engine_run *r) {
  double begin = budget_now ();
  bool open = run_on_fixed_program (e, r, IR_SETTLE_ZERO);
  search_the_rest (e, r, budget_now () - begin, lengths_of (r->verdict));
  if (open) run_on_next_fixed_programs (e, r, IR_SETTLE_ONE);
}

static void search_warily_first (const engine *e, engine_run *r) {
  double begin = budget_now ();
  lengths l = lengths_of (r->verdict);
  uint32_t before = r->conditional;
  r->is_wary = true;
  e->run (r);
  r->is_wary = false;
  if (r->conditional == before || r->parted) return;
  run_on_next_fixed_programs (e, r, IR_SETTLE_ZERO);
  if (!budget_spent (r->budget)) search_the_rest (e, r, budget_now () - begin, l);
}

void engine_run_again (const engine *e, engine_run *r) {
  if (e->stops_at_conditions) search_warily_first (e, r);
  else search_small_first (e, r);
}
