// Completes the coverage of a verdict, and withdraws proofs that say too little.
//
// A proof about executions that do nothing is worth little: a program that ends before it creates a thread has no race.
// After the engine's work a few random executions, for a small share of the time, complete the coverage.  If no
// execution has created a thread although the control-flow graph has a creation, the engine `auto` searches one: it
// checks the same program with a failing assertion in place of each creation.  SAFE remains if an execution creates a
// thread, or if it is proved that none does, for any input.
#include <string.h>

#include "main/main_impl.h"

enum { NUM_RUNS = 64, EDGES_OF_FIRST_RUN = 2000, RUNS_AFTER_CREATION = 4 };
static const double share_of_time = 0.02, least_seconds = 0.001, least_seconds_without_threads = 0.05,
                    most_seconds_of_search = 10;

typedef struct coverage_job {
  const coverage_input *in;
  ir_program *clone;
  verdict verdict;  // verdict about the clone
} coverage_job;

// ---- random executions ---------------------------------------------------------------------------------
static bool lacks_threads (const verdict *v) { return v->coverage.creates && !v->coverage.created; }

static void run_once (const coverage_input *in, uint64_t seed, const schedule *prefix, const budget *b) {
  run_options o = {.semantics = *in->semantics, .seed = seed, .prefix = prefix, .budget = b};
  o.semantics.properties = 0;
  o.max_edges = EDGES_OF_FIRST_RUN * (seed + 1) + (prefix ? schedule_edges (prefix) : 0);
  run_result result;
  run_program (in->verdict, in->program, &o, &result);
  run_result_release (&result);
}

static void run_some (void *state) {
  const coverage_input *in = ((coverage_job *) state)->in;
  verdict *v = in->verdict;
  double elapsed = budget_elapsed (in->budget),
         least = lacks_threads (v) ? least_seconds_without_threads : least_seconds;
  double until = elapsed + (elapsed * share_of_time > least ? elapsed * share_of_time : least);
  budget b = *in->budget;
  b.watch = NULL;
  if (b.seconds && b.seconds < until) until = b.seconds;
  b.seconds = until;
  for (uint64_t seed = 0; seed < NUM_RUNS && !budget_spent (&b) && !coverage_is_whole (&v->coverage); seed++) {
    run_once (in, seed, NULL, &b);
    if (!(seed & (seed + 1))) verdict_survey (v);  // after 1, 2, 4, 8, ... runs
  }
  verdict_survey (v);
}

// ---- can a thread be created? --------------------------------------------------------------------------
// Returns a copy of the program with a failing assertion in place of each creation; other failures only end the
// execution.
static ir_program *program_with_creation_assertions (const ir_program *p) {
  ir_program *clone = ir_clone (p);
  ir_expr never = ir_const (clone, 1, 0);
  for (uint32_t e = 0; e < clone->edges.count; e++) {
    ir_edge_data *d = &clone->edges.data[e];
    if (d->op == IR_CHECK) d->aux = IR_P_OVERFLOW;
    if (d->op != IR_THREAD_CREATE) continue;
    d->op = IR_CHECK;
    d->aux = IR_P_ASSERT;
    d->dst.i = IR_NONE;
    d->num_args = 1;
    d->num_name_args = 0;
    d->name = NULL;
    d->message = "a thread is created";
    clone->args.data[d->first_arg] = never;
  }
  return clone;
}

static void run_auto (void *state) {
  coverage_job *j = state;
  const coverage_input *in = j->in;
  task t = {.semantics = *in->semantics, .mtx = true, .jobs = 1, .stop_at_first = true};
  t.semantics.properties = 1u << IR_P_ASSERT;
  budget b = *in->budget;
  double until = budget_elapsed (&b) + most_seconds_of_search;
  b.watch = NULL;
  if (!b.seconds || b.seconds > until) b.seconds = until;
  const char *why_not = NULL;
  engine_run run = {.program = j->clone, .task = &t, .budget = &b, .verdict = &j->verdict, .engine = engine_auto.name};
  for (uint32_t k = 0; k < j->clone->gaps.count; k++) verdict_add_bound (&j->verdict, "%s", j->clone->gaps.data[k]);
  if (engine_applies (&engine_auto, j->clone, &t, &why_not)) engine_work (&engine_auto, &run);
  if (!run.parted) return;
  verdict_stop (&j->verdict, reason_internal (j->verdict.arena, "%s", run.parted));
  verdict_settle (&j->verdict, task_asks (&t));
}

// Records a creation that was found: up to it the clone and the program behave alike.  After it, random executions of
// the program continue.
static bool record_creation (const coverage_input *in, const verdict *answer) {
  verdict *v = in->verdict;
  for (uint32_t k = 0; k < answer->goals.count; k++) {
    const goal *g = &answer->goals.data[k];
    uint32_t e = g->claim.edge[0].i;
    if (g->status != GOAL_VIOLATED || !claim_exists (&g->claim) || e >= v->reached.bytes ||
        v->reached.program->edges.data[e].op != IR_THREAD_CREATE)
      continue;
    v->reached.edge[e] = 1;
    for (uint64_t seed = 1; seed <= RUNS_AFTER_CREATION; seed++) run_once (in, seed, &g->claim.schedule, in->budget);
    verdict_survey (v);
    return true;
  }
  return false;
}

typedef enum creation_answer { FOUND, IMPOSSIBLE, NOT_KNOWN } creation_answer;

static creation_answer search_creation (const coverage_input *in) {
  coverage_job j = {.in = in, .clone = program_with_creation_assertions (in->program)};
  verdict_init (&j.verdict);
  bool finished = run_catching_out_of_memory (run_auto, &j), found = record_creation (in, &j.verdict);
  bool proved = finished && j.verdict.kind == VERDICT_SAFE;
  verdict_release (&j.verdict);
  ir_program_free (j.clone);
  return found ? FOUND : proved ? IMPOSSIBLE : NOT_KNOWN;
}

// ---- consequences --------------------------------------------------------------------------------------
static const char *creation_position_text (verdict *v, ir_position pos) {
  return pos.file ? arena_printf (v->arena, "%s:%u", pos.file, pos.line) : "an unknown position";
}

static void withdraw_proofs (const coverage_input *in) {
  verdict *v = in->verdict;
  const reason *why = reason_printf (
      v->arena, REASON_BOUND, "no execution that creates a thread was found: the creation at %s was never reached",
      creation_position_text (v, v->coverage.creation));
  verdict_add_bound (v, "%s", why->text);
  for (uint32_t p = 0; p < IR_NUM_QUESTIONS; p++) {
    property_answer *a = &v->answers[p];
    if (a->status != GOAL_PROVED) continue;
    a->status = a->rest = GOAL_BOUNDED;
    a->why = why;
    a->message = why->text;
  }
  verdict_settle (v, in->requested);
}

static void add_notes (const coverage_input *in) {
  verdict *v = in->verdict;
  const coverage *r = &v->coverage;
  for (uint32_t k = 0; k < r->missed_threads.count; k++)
    verdict_add_note (v, "no known execution reaches the thread function `%s`", r->missed_threads.data[k]);
  if (!(in->semantics->properties >> IR_P_ASSERT & 1)) return;
  for (uint32_t k = 0; k < r->missed_assertions.count; k++)
    verdict_add_note (v, "no known execution reaches the assertion at %s", r->missed_assertions.data[k]);
}

void coverage_complete (const coverage_input *in) {
  verdict *v = in->verdict;
  coverage_job j = {.in = in};
  verdict_survey (v);
  if (!v->coverage.known) return;
  if (!budget_spent (in->budget) && !coverage_is_whole (&v->coverage)) run_catching_out_of_memory (run_some, &j);
  if (v->kind == VERDICT_SAFE && lacks_threads (v)) {
    creation_answer answer = budget_spent (in->budget) ? NOT_KNOWN : search_creation (in);
    if (answer == IMPOSSIBLE && !in->args_are_fixed)
      verdict_add_note (
          v, "no execution creates a thread, whatever the input (proved): the creation at %s is never reached",
          creation_position_text (v, v->coverage.creation));
    else if (answer != FOUND) withdraw_proofs (in);
  }
  if (v->kind == VERDICT_SAFE || v->kind == VERDICT_BOUNDED) add_notes (in);
}
