// `lockstep run`: one execution under the interpreter.  Standard output is the program's own; what lockstep sees on the
// way goes to standard error, each violation replayed before it is told, as in `check`.
#include "base/diag.h"
#include "engine/random/random_options.h"
#include "main/main_impl.h"

// The violations of the run, as goals of the verdict.  Their order is that of the run.
static void tell_violations (verdict *v, const ir_program *program, const options *o, run_result *result) {
  const semantics s = load_semantics (o);
  report_style style = load_style (o, stderr);
  uint32_t numbers[IR_NUM_PROPERTIES] = {0};
  for (uint32_t i = 0; i < result->claims.count; i++) {
    claim *c = &result->claims.data[i];
    goal g = {.property = c->property, .status = GOAL_VIOLATED, .engine = "run"};
    const char *why = NULL;
    bool good = verdict_confirm (v, program, &s, c, &g, &why);
    CHECK (good, "what the run saw should replay: %s", why ? why : "?");
    g.id = arena_printf (v->arena, "%s-%u", ir_property_name[c->property], ++numbers[c->property]);
    g.claim = *c;
    g.claim.schedule = (schedule){0};  // stays with the result
    vec_push (&v->goals, g);
    report_goal (&g, &style, stderr);
    if (diag_verbosity () <= 0) continue;
    fputc ('\n', stderr);
    report_trace (&g, &style, stderr);
    fputc ('\n', stderr);
  }
}

static int exit_code (const run_result *r) {
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

typedef struct job {
  verdict verdict;
  const ir_program *program;
  run_options options;
  run_result result;
} job;

static void execute (void *state) {
  job *j = state;
  run_program (&j->verdict, j->program, &j->options, &j->result);
}

int command_run (const options *o, double start) {
  budget budget;
  load_budget (o, start, &budget);
  load_limits limits = {.budget = &budget};
  watch *w = watch_start (&budget, watch_end_command, (void *) o);
  ir_program *program = load_program (o, &limits);
  watch_stop (w);
  int unloaded = limits.stopped.count ? EXIT_UNKNOWN : EXIT_USAGE;
  strbuf_release (&limits.stopped);
  if (!program) return unloaded;
  semantics s = load_semantics (o);
  task t = load_task (o, &s);
  const random_options *random = random_options_of (&t);
  job j = {.program = program,
           .options = {
               .semantics = s, .seed = random->seed, .max_edges = random->steps, .output = stdout, .budget = &budget}};
  verdict_init (&j.verdict);
  int code = EXIT_UNKNOWN;
  bool finished = guard_run (execute, &j), written = stdout_finish ();
  if (!finished) diag_error (NULL, 0, 0, "the run was stopped: out of memory");
  else {
    tell_violations (&j.verdict, program, o, &j.result);
    code = exit_code (&j.result);
    run_result_release (&j.result);
  }
  verdict_release (&j.verdict);
  ir_program_free (program);
  return written ? code : EXIT_USAGE;
}
