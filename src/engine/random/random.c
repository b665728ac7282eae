// Engine `random`: many executions under random schedules and inputs, made by the interpreter alone.  It proves
// nothing.  It is the quickest search for a bug in a program that is too large for the other engines, and
// tools/fuzz-run compares the other engines with it, because it shares no code with them.
#include "base/diag.h"
#include "engine/random/random_options.h"

#define ROW(...) OPTION_ROW (random_options, __VA_ARGS__)
static const option_row random_rows[] = {RANDOM_OPTIONS (ROW)};
static const random_options random_initial = {RANDOM_OPTIONS (OPTION_INITIAL)};
static const option_table random_option_table = OPTION_TABLE (random_rows, random_initial);

const random_options *random_options_of (const task *t) { return task_options (t, &engine_random); }

typedef struct random_search {
  engine_run *run;
  const random_options *options;
  uint64_t done, ended, bugs;  // number of executions; number of those that ended by themselves; new bugs
  const char *stopped;         // why executions are missing, or NULL
  const reason *unsupported;
} random_search;

static bool applies_random (const ir_program *p, const task *t, const char **why_not) {
  (void) p, (void) t, (void) why_not;
  return true;
}

static void show_random_progress (random_search *s) {
  engine_progress (s->run, "%llu of %llu executions, %llu bugs", (unsigned long long) s->done,
                   (unsigned long long) s->options->runs, (unsigned long long) s->bugs);
}

static void execute_randomly (random_search *s, uint64_t seed, FILE *sink) {
  run_options o = {.semantics = s->run->task->semantics,
                   .seed = seed,
                   .max_edges = s->options->steps,
                   .output = sink,
                   .budget = s->run->budget};
  run_result result = {0};
  run_program (s->run->verdict, s->run->program, &o, &result);
  for (uint32_t k = 0; k < result.claims.count; k++) s->bugs += engine_report (s->run, &result.claims.data[k]);
  s->done++;
  s->ended += result.kind == RUN_EXITED;
  if (result.kind == RUN_UNSUPPORTED && !s->unsupported) s->unsupported = result.unsupported;
  run_result_release (&result);
}

static void conclude_random (random_search *s) {
  verdict *v = s->run->verdict;
  const reason *bound = reason_printf (v->arena, REASON_BOUND, "%llu random executions", (unsigned long long) s->done);
  verdict_add_bound (v, "%s", bound->text);
  engine_summarise (s->run, s->unsupported ? ending_unknown (s->unsupported) : ending_bounded (bound));
  verdict_add_stat (v, "executions", s->done, NULL);
  verdict_add_stat (v, "executions_ended", s->ended, NULL);
}

static void run_random (engine_run *r) {
  random_search s = {.run = r, .options = random_options_of (r->task)};
  FILE *sink = fopen ("/dev/null", "w");
  CHECK (sink, "/dev/null should be writable");
  uint64_t first = s.options->seed ? s.options->seed : 1;
  for (uint64_t k = 0; k < s.options->runs && !s.stopped; k++) {
    execute_randomly (&s, first + k, sink);
    show_random_progress (&s);
    s.stopped = r->parted                          ? "a trace does not replay"
                : s.bugs && r->task->stop_at_first ? "first bug"
                                                   : budget_spent (r->budget);
  }
  fclose (sink);
  conclude_random (&s);
}

const engine engine_random = {.name = "random",
                              .summary = "executions under random schedules; finds bugs, proves nothing",
                              .properties = ENGINE_COMMON_PROPERTIES | 1 << IR_P_LEAK,
                              .applies = applies_random,
                              .run = run_random,
                              .ways = WAY_PROPERTIES,
                              .options = &random_option_table,
                              .honours = {[SHARED_PROPERTY] = WAY_PROPERTIES,
                                          [SHARED_REACH_PAIR] = WAY_PROPERTIES,
                                          [SHARED_ERROR_LABEL] = WAY_PROPERTIES,
                                          [SHARED_STOP_AT_FIRST] = WAY_PROPERTIES,
                                          [SHARED_MAX_THREADS] = WAY_PROPERTIES,
                                          [SHARED_LEAKS] = WAY_PROPERTIES}};
