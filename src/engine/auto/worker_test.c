// Workers that answer, die, hang, use up memory or write nonsense: their parent continues with what it received.
#include "engine/auto/worker.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/test.h"

typedef struct bench {
  ir_program program;
  task task;
  budget budget;
  verdict verdict;
  engine_run run;
  uint32_t lines;  // lines of progress
} bench;

static void count_line (void *state, const char *line) {
  bench *b = state;
  b->lines += !strcmp (line, "half way");
}

static void bench_init (bench *b, double seconds) {
  *b = (bench){0};
  verdict_init (&b->verdict);
  budget_start (&b->budget, seconds, 0);
  b->run = (engine_run){.program = &b->program,
                        .task = &b->task,
                        .budget = &b->budget,
                        .verdict = &b->verdict,
                        .engine = "auto",
                        .progress = count_line,
                        .progress_state = b};
  diag_set_verbosity (-1);
}

static worker *run_worker (bench *b, void (*work) (engine_run *), double seconds) {
  static engine e;
  e = (engine){.name = "test", .properties = 1, .run = work};
  worker *w = worker_start (&b->run, &e, (worker_share){.properties = 1, .seconds = seconds, .jobs = 1});
  assert_non_null (w);
  while (!worker_has_ended (w)) workers_wait (&b->run, &w, 1);
  return w;
}

static void bench_release (bench *b, worker *w) {
  worker_free (w);
  verdict_release (&b->verdict);
}

// ---- workers that answer -------------------------------------------------------------------------------
static void answer_safe (engine_run *r) {
  assert_int_equal (r->task->semantics.properties, 1);
  r->progress (r->progress_state, "half way");
  engine_summarise (r, ending_proved (budget_completion (r->budget), "searched"));
  verdict_add_bound (r->verdict, "none, really");
  mem_free (mem_alloc (50 << 20), 50 << 20);
}

static void an_answer_comes_back (void **state) {
  (void) state;
  bench b;
  bench_init (&b, 0);
  worker *w = run_worker (&b, answer_safe, 60);
  assert_int_equal (answer_kind (worker_answer (w)), VERDICT_SAFE);
  assert_false (worker_was_late (w));
  assert_int_equal (b.lines, 1);
  answer_add_to (worker_answer (w), &b.verdict);
  assert_string_equal (b.verdict.bounds.data[0], "none, really");
  bench_release (&b, w);
  assert_true (mem_peak_bytes () >= 50 << 20);
}

// ---- workers that do not answer -------------------------------------------------------------------------------
static void die (engine_run *r) {
  r->progress (r->progress_state, "half way");
  signal (SIGSEGV, SIG_DFL);
  raise (SIGSEGV);
}

static void a_death_is_survived (void **state) {
  (void) state;
  bench b;
  bench_init (&b, 0);
  worker *w = run_worker (&b, die, 60);
  assert_int_equal (answer_kind (worker_answer (w)), VERDICT_UNKNOWN);
  assert_non_null (strstr (answer_reason (worker_answer (w))->text, "engine test died"));
  assert_int_equal (b.lines, 1);  // lines sent before the end are kept
  bench_release (&b, w);
}

static void hang (engine_run *r) {
  (void) r;
  signal (SIGTERM, SIG_IGN);
  for (;;) pause ();
}

static void who_hangs_is_ended (void **state) {
  (void) state;
  bench b;
  bench_init (&b, 0);
  worker *w = run_worker (&b, hang, 0.05);
  assert_true (worker_was_late (w));
  assert_non_null (strstr (answer_reason (worker_answer (w))->text, "did not stop in time"));
  bench_release (&b, w);
}

static void who_hangs_when_all_time_is_over_is_ended (void **state) {
  (void) state;
  bench b;
  bench_init (&b, 0.05);
  worker *w = run_worker (&b, hang, 60);
  assert_int_equal (answer_kind (worker_answer (w)), VERDICT_UNKNOWN);
  bench_release (&b, w);
}

static void stop_when_asked (engine_run *r) {
  budget_catch_interrupts ();
  while (!budget_spent (r->budget)) usleep (1000);
  static const reason bound = {REASON_BOUND, "what there was", {0}};
  engine_summarise (r, ending_bounded (&bound));
}

static void who_is_asked_to_stop_may_still_answer (void **state) {
  (void) state;
  bench b;
  bench_init (&b, 0.05);
  worker *w = run_worker (&b, stop_when_asked, 60);
  assert_int_equal (answer_kind (worker_answer (w)), VERDICT_BOUNDED);
  assert_string_equal (worker_answer (w)->answers[IR_P_ASSERT].why->text, "what there was");
  bench_release (&b, w);
}

static void use_up_memory (engine_run *r) {
  (void) r;
  mem_exhausted ();
}

static void lack_of_memory_is_an_answer (void **state) {
  (void) state;
  bench b;
  bench_init (&b, 0);
  worker *w = run_worker (&b, use_up_memory, 60);
  assert_string_equal (answer_reason (worker_answer (w))->text, "out of memory");
  bench_release (&b, w);
}

// A claim about threads and edges that do not exist is refused.
static void claim_nonsense (engine_run *r) {
  claim c = {.property = IR_NUM_QUESTIONS, .num_threads = 1};
  r->found (r->found_state, &c);
  engine_summarise (r, ending_proved (budget_completion (r->budget), "searched"));
}

static void nonsense_is_no_answer (void **state) {
  (void) state;
  bench b;
  bench_init (&b, 0);
  worker *w = run_worker (&b, claim_nonsense, 60);
  assert_int_equal (answer_kind (worker_answer (w)), VERDICT_UNKNOWN);
  assert_non_null (strstr (answer_reason (worker_answer (w))->text, "sent nonsense"));
  assert_int_equal (b.verdict.goals.count, 0);
  bench_release (&b, w);
}

TEST_MAIN (cmocka_unit_test (an_answer_comes_back), cmocka_unit_test (a_death_is_survived),
           cmocka_unit_test (who_hangs_is_ended), cmocka_unit_test (who_hangs_when_all_time_is_over_is_ended),
           cmocka_unit_test (who_is_asked_to_stop_may_still_answer), cmocka_unit_test (lack_of_memory_is_an_answer),
           cmocka_unit_test (nonsense_is_no_answer))
