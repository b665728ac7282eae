// Engine `random`: many executions under random schedules and inputs, by the interpreter alone.  It proves nothing; it is the
// quickest look for a bug in a program too large for a search, and the judge of the searches in tools/fuzz-run, because
// it shares no code with them.
#include "base/diag.h"
#include "engine/engine.h"

typedef struct random_search {
  engine_run *run;
  uint64_t done, ended, bugs;  // executions: all, and those that came to an end of their own
  const char *stopped;         // why not all were made, or NULL
  const char *unsupported;
} random_search;

static bool applies (const ir_program *p, const task *t, const char **why_not) {
  (void) p, (void) t, (void) why_not;
  return true;
}

static void show_progress (random_search *s) {
  engine_progress (s->run, "%llu of %llu executions, %llu bugs", (unsigned long long) s->done,
                   (unsigned long long) s->run->task->runs, (unsigned long long) s->bugs);
}

static void execute (random_search *s, uint64_t seed, FILE *sink) {
  const task *t = s->run->task;
  run_options o = {
      .semantics = t->semantics, .seed = seed, .max_edges = t->steps, .output = sink, .budget = s->run->budget};
  run_result result = {0};
  run_program (s->run->verdict, s->run->program, &o, &result);
  for (uint32_t k = 0; k < result.claims.count; k++) s->bugs += engine_report (s->run, &result.claims.data[k]);
  s->done++;
  s->ended += result.kind == RUN_EXITED;
  if (result.kind == RUN_UNSUPPORTED && !s->unsupported) s->unsupported = result.message;
  run_result_release (&result);
}

static void conclude (random_search *s) {
  verdict *v = s->run->verdict;
  v->kind = s->bugs ? VERDICT_BUG : s->unsupported ? VERDICT_UNKNOWN : VERDICT_BOUNDED;
  verdict_add_bound (v, "%llu random executions", (unsigned long long) s->done);
  v->reason =
      s->unsupported ? s->unsupported : arena_printf (v->arena, "%llu random executions", (unsigned long long) s->done);
  engine_summarise (s->run, v->kind == VERDICT_UNKNOWN ? ending_unknown (v->reason) : ending_bounded (v->reason));
  verdict_add_stat (v, "executions", s->done, NULL);
  verdict_add_stat (v, "executions_ended", s->ended, NULL);
}

static void run (engine_run *r) {
  random_search s = {.run = r};
  FILE *sink = fopen ("/dev/null", "w");
  CHECK (sink, "/dev/null should be writable");
  uint64_t first = r->task->seed ? r->task->seed : 1;
  for (uint64_t k = 0; k < r->task->runs && !s.stopped; k++) {
    execute (&s, first + k, sink);
    show_progress (&s);
    s.stopped = r->parted                          ? "a trace does not replay"
                : s.bugs && r->task->stop_at_first ? "first bug"
                                                   : budget_spent (r->budget);
  }
  fclose (sink);
  conclude (&s);
}

const engine engine_random = {.name = "random",
                              .summary = "executions under random schedules; finds bugs, proves nothing",
                              .properties = ENGINE_COMMON_PROPERTIES | 1 << IR_P_LEAK,
                              .applies = applies,
                              .run = run};
