// `lockstep run`: one execution in the interpreter.  Standard output belongs to the program; lockstep reports
// violations on standard error, each replayed first, as in `check`.
#include "base/diag.h"
#include "engine/random/random_options.h"
#include "main/main_impl.h"

// Adds the violations of the run to the verdict, in the order of the run, and reports them.
static void report_violations (verdict *v, const ir_program *program, const options *o, run_result *result) {
  const semantics s = load_semantics (o);
  report_style style = load_style (o, stderr);
  uint32_t numbers[IR_NUM_PROPERTIES] = {0};
  for (uint32_t i = 0; i < result->claims.count; i++) {
    claim *c = &result->claims.data[i];
    goal g = {.property = c->property, .status = GOAL_VIOLATED, .engine = "run"};
    const char *why = NULL;
    bool good = verdict_confirm (v, program, &s, c, &g, &why);
    CHECK (good, "a violation of the run should replay: %s", why ? why : "?");
    g.id = arena_printf (v->arena, "%s-%u", ir_property_name[c->property], ++numbers[c->property]);
    g.claim = *c;
    g.claim.schedule = (schedule){0};  // the result owns the schedule
    vec_push (&v->goals, g);
    report_goal (&g, &style, stderr);
    if (diag_verbosity () <= 0) continue;
    fputc ('\n', stderr);
    report_trace (&g, &style, stderr);
    fputc ('\n', stderr);
  }
}

static int run_exit_code (const run_result *r) {
  if (r->violated || r->claims.count) return EXIT_BUG;
  switch (r->kind) {
  case RUN_EXITED: return r->exit_code & 0xFF;
  case RUN_VIOLATION:
  case RUN_DEADLOCK: diag_error (NULL, 0, 0, "%s", r->message ? r->message : "violation"); return EXIT_BUG;
  case RUN_INFEASIBLE:
    diag_note ("the execution ended at an assumption that does not hold; another --seed may get further");
    return EXIT_UNKNOWN;
  default: diag_error (NULL, 0, 0, "the run was stopped: %s", r->message ? r->message : "limit"); return EXIT_UNKNOWN;
  }
}

typedef struct run_job {
  verdict verdict;
  const ir_program *program;
  run_options options;
  run_result result;
} run_job;

static void execute_run (void *state) {
  run_job *j = state;
  run_program (&j->verdict, j->program, &j->options, &j->result);
}

int command_run (const options *o, double start) {
  budget budget;
  load_budget (o, start, &budget);
  load_limits limits = {.budget = &budget};
  deadline_thread *w = deadline_thread_start (&budget, deadline_end_command, (void *) o);
  ir_program *program = load_program (o, &limits);
  deadline_thread_stop (w);
  int unloaded = limits.stopped.count ? EXIT_UNKNOWN : EXIT_USAGE;
  strbuf_release (&limits.stopped);
  if (!program) return unloaded;
  semantics s = load_semantics (o);
  task t = load_task (o, &s);
  const random_options *random = random_options_of (&t);
  run_job j = {
      .program = program,
      .options = {
          .semantics = s, .seed = random->seed, .max_edges = random->steps, .output = stdout, .budget = &budget}};
  verdict_init (&j.verdict);
  int code = EXIT_UNKNOWN;
  bool finished = run_catching_out_of_memory (execute_run, &j), written = stdout_finish ();
  if (!finished) diag_error (NULL, 0, 0, "the run was stopped: out of memory");
  else {
    report_violations (&j.verdict, program, o, &j.result);
    code = run_exit_code (&j.result);
    run_result_release (&j.result);
  }
  verdict_release (&j.verdict);
  ir_program_free (program);
  return written ? code : EXIT_USAGE;
}
