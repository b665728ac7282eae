// Explanations of findings made by hand: what they say, and that they say nothing where nothing is known.
#include <stdlib.h>
#include <string.h>

#include "base/test.h"
#include "report/report_impl.h"
#include "report/report_sample.h"

static char *explanation_of (const verdict *v, const goal *g) {
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream (&text, &size);
  report_explanation (v, g, &(report_style){.columns = 1000}, f);
  fclose (f);
  return text;
}

// The verdict takes ownership of the goal.
static void assert_explained (goal g, const char *expected) {
  verdict v;
  verdict_init (&v);
  vec_push (&v.goals, g);
  char *text = explanation_of (&v, &v.goals.data[0]);
  assert_string_equal (text, expected);
  free (text);
  verdict_release (&v);
}

static void stand (goal *g, uint32_t thread, uint32_t line, goal_role role) {
  vec_push (&g->locations, ((goal_location){{"a.c", line, 1}, "f", thread, "shown", role}));
  g->claim.thread[g->claim.num_threads++] = thread;
}

// ---- races ------------------------------------------------------------------------------------------
static void race_by_facts_of_the_analysis (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  static const char *const held[] = {"m"};
  for (uint32_t line = 10; line <= 13; line++)
    vec_push (&s.verdict.accesses,
              ((access_fact){"counter", {"a.c", line, 1}, "worker", line % 2, line == 12 ? 0 : 1, held}));
  s.verdict.goals.data[0].about = "counter";
  char *text = explanation_of (&s.verdict, &s.verdict.goals.data[0]);
  assert_string_equal (
      text,
      "\n  why: In the end thread 1 holds `m` and thread 2 holds no lock: no lock is common to both. `counter` is "
      "protected by `m` at 3 of 4 places; not at a.c:12 (read in worker).\n"
      "  fix: use `m` also at a.c:12 (read in worker).\n");
  free (text);
  sample_release (&s);
}

// The sample's trace has one place with the lock and one without.
static void race_by_its_trace (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  s.verdict.goals.data[0].about = "counter";
  char *text = explanation_of (&s.verdict, &s.verdict.goals.data[0]);
  assert_non_null (strstr (text,
                           "`counter` is protected by `m` at 1 of 2 places in the interleavings of this report; not at "
                           "dir/a.c:12 (read in other)."));
  free (text);
  sample_release (&s);
}

static void race_of_readers (void **state) {
  (void) state;
  goal g = {.id = "race-1", .property = IR_P_RACE, .about = "x"};
  for (uint32_t thread = 1; thread < 3; thread++) {
    stand (&g, thread, 5, (goal_role){.kind = ROLE_WRITES, .object = "x"});
    sample_step (&g, thread, 4, "f", IR_STEP_RDLOCK, "rw", NULL, "rw");
  }
  for (uint32_t thread = 1; thread < 3; thread++) sample_step (&g, thread, 5, "f", IR_STEP_STORE, "x", "1", "rw");
  assert_explained (g, "\n  why: Both threads hold `rw`, but for reading only, which they may at the same time.\n"
                       "  fix: take `rw` for writing where `x` is written.\n");
}

static void race_with_free_and_atomics (void **state) {
  (void) state;
  goal g = {.id = "race-1", .property = IR_P_RACE, .about = "p->x"};
  stand (&g, 0, 8, (goal_role){.kind = ROLE_FREES, .object = "p->x"});
  stand (&g, 1, 9, (goal_role){.kind = ROLE_READS, .object = "p->x"});
  verdict v;
  verdict_init (&v);
  vec_push (&v.goals, g);
  char *text = explanation_of (&v, &v.goals.data[0]);
  assert_non_null (
      strstr (text, "fix: free it at a.c:8 only when no other thread can use it any more: join thread 1 before"));
  free (text);
  v.goals.data[0].locations.data[0].role.kind = ROLE_WRITES_ATOMIC;
  text = explanation_of (&v, &v.goals.data[0]);
  assert_non_null (strstr (text, "fix: the access at a.c:8 is atomic, the one at a.c:9 is not"));
  free (text);
  v.goals.data[0].about = NULL;
  text = explanation_of (&v, &v.goals.data[0]);
  assert_string_equal (text, "");
  free (text);
  verdict_release (&v);
}

// ---- deadlocks --------------------------------------------------------------------------------------
static void cycle_of_locks (void **state) {
  (void) state;
  goal g = {.id = "deadlock-1", .property = IR_P_DEADLOCK};
  stand (&g, 0, 20, (goal_role){.kind = ROLE_WAITS_THREAD, .holder = HOLDER_OTHER});
  stand (&g, 1, 11, (goal_role){.kind = ROLE_WAITS_LOCK, .object = "b", .holder = HOLDER_OTHER});
  stand (&g, 2, 16, (goal_role){.kind = ROLE_WAITS_LOCK, .object = "a", .holder = HOLDER_OTHER});
  sample_step (&g, 1, 10, "f", IR_STEP_LOCK, "a", NULL, "a");
  sample_step (&g, 2, 15, "g", IR_STEP_LOCK, "b", NULL, "b");
  sample_step (&g, 0, 20, "main", IR_STEP_JOIN, "thread 1", NULL, NULL);
  sample_step (&g, 1, 11, "f", IR_STEP_LOCK, "b", NULL, "a");
  sample_step (&g, 2, 16, "g", IR_STEP_LOCK, "a", NULL, "b");
  assert_explained (g, "\n  why: The order of taking goes in a circle: thread 1 took `a` at dir/a.c:10 (step 1) and "
                       "then asks for `b` at "
                       "a.c:11; thread 2 took `b` at dir/a.c:15 (step 2) and then asks for `a` at a.c:16.\n"
                       "  fix: take these locks in one order everywhere, for example `a` before `b`; against it is "
                       "thread 2 at a.c:16.\n");
}

static void own_lock (void **state) {
  (void) state;
  goal g = {.id = "deadlock-1", .property = IR_P_DEADLOCK};
  stand (&g, 1, 11, (goal_role){.kind = ROLE_WAITS_LOCK, .object = "m", .holder = HOLDER_SELF});
  sample_step (&g, 1, 10, "f", IR_STEP_LOCK, "m", NULL, "m");
  sample_step (&g, 1, 11, "f", IR_STEP_LOCK, "m", NULL, "m");
  verdict v;
  verdict_init (&v);
  vec_push (&v.goals, g);
  char *text = explanation_of (&v, &v.goals.data[0]);
  assert_non_null (strstr (
      text, "why: Thread 1 holds `m` itself, since dir/a.c:10 (step 1); the lock does not let its holder in again"));
  free (text);
  verdict_release (&v);
}

// `woken`: the thread that the signal wakes; IR_NONE: no thread waits yet.
static goal waiting_goal (uint32_t woken) {
  goal g = {.id = "deadlock-1", .property = IR_P_DEADLOCK};
  stand (&g, 1, 15, (goal_role){.kind = ROLE_WAITS_COND, .object = "ready"});
  sample_step (&g, 1, 13, "waiter", IR_STEP_LOAD, "done", "0", NULL);
  sample_step (&g, 0, 25, "main", IR_STEP_STORE, "done", "1", NULL);
  sample_step (&g, 0, 27, "main", IR_STEP_SIGNAL, "ready", woken == IR_NONE ? "no thread waits" : "wakes thread 2",
               "m");
  vec_last (&g.steps).other = woken;
  sample_step (&g, 1, 14, "waiter", IR_STEP_LOCK, "m", NULL, "m");
  sample_step (&g, 1, 15, "waiter", IR_STEP_WAIT, "ready", NULL, NULL);
  sample_step (&g, 1, 15, "waiter", IR_STEP_WAKE, "ready", NULL, NULL);
  return g;
}

static void lost_wakeup (void **state) {
  (void) state;
  assert_explained (
      waiting_goal (IR_NONE),
      "\n  why: The wake-up is lost: `ready` was signalled at dir/a.c:27 (step 3), before thread 1 began to wait at "
      "dir/a.c:15 "
      "(step 5), and a signal is not kept for later. Thread 1 had read `done` at dir/a.c:13 (step 1); it was changed "
      "at "
      "dir/a.c:25 (step 2), and not read again before the wait.\n"
      "  fix: read `done` while holding `m`, and wait in a loop as long as the condition does not hold: then it cannot "
      "change between the test and the wait at `ready`.\n");
  verdict v;
  verdict_init (&v);
  vec_push (&v.goals, waiting_goal (2));
  char *text = explanation_of (&v, &v.goals.data[0]);
  assert_null (strstr (text, "lost"));
  assert_non_null (strstr (text, "No thread is left that could signal `ready`."));
  free (text);
  verdict_release (&v);
}

// ---- the others -------------------------------------------------------------------------------------
static void misuse_with_its_history (void **state) {
  (void) state;
  goal g = {.id = "locks-1", .property = IR_P_LOCKS, .about = "m", .fault = IR_FAULT_UNLOCK_FOREIGN};
  stand (&g, 1, 9, (goal_role){0});
  sample_step (&g, 0, 3, "main", IR_STEP_LOCK, "m", NULL, "m");
  sample_step (&g, 1, 9, "f", IR_STEP_UNLOCK, "m", NULL, NULL);
  assert_explained (g, "\n  why: Only the thread that holds a lock may give it back. `m` was taken at dir/a.c:3 (step "
                       "1) by thread 0 and "
                       "not given back since.\n"
                       "  fix: unlock only behind a lock of the same thread, once for each, on every path.\n");
  assert_explained ((goal){.id = "locks-1", .property = IR_P_LOCKS, .fault = IR_FAULT_INIT_IN_USE}, "");
}

static void freed_by_another_thread (void **state) {
  (void) state;
  goal g = {.id = "memory-1", .property = IR_P_MEMORY, .about = "r->id", .fault = IR_FAULT_FREED};
  stand (&g, 1, 16, (goal_role){0});
  vec_push (&g.locations, ((goal_location){{"a.c", 30, 1}, "main", 0, "freed here", {.kind = ROLE_FREED}}));
  sample_step (&g, 0, 30, "main", IR_STEP_FREE, "*shared", NULL, NULL);
  sample_step (&g, 1, 16, "f", IR_STEP_LOAD, "r->id", NULL, NULL);
  assert_explained (
      g, "\n  why: Thread 0 freed the object at a.c:30 (step 1), and then thread 1 still uses it at a.c:16.\n"
         "  fix: free it only when thread 1 is done with it: join that thread before a.c:30, or count the users and "
         "let the "
         "last one free it.\n");
}

static void lost_update_behind_an_assertion (void **state) {
  (void) state;
  goal g = {.id = "assert-1", .property = IR_P_ASSERT, .message = "assertion failed"};
  vec_push (&g.locations, ((goal_location){{"dir/a.c", 21, 1}, "main", 0, .what = "assertion failed"}));
  g.claim.num_threads = 1;
  sample_step (&g, 2, 10, "f", IR_STEP_LOAD, "n", "0", NULL);
  sample_step (&g, 1, 10, "f", IR_STEP_LOAD, "n", "0", NULL);
  sample_step (&g, 1, 10, "f", IR_STEP_STORE, "n", "1", NULL);
  sample_step (&g, 2, 10, "f", IR_STEP_STORE, "n", "1", NULL);
  sample_step (&g, 0, 21, "main", IR_STEP_LOAD, "n", "1", NULL);
  sample_step (&g, 0, 21, "main", IR_STEP_CHECK, NULL, NULL, NULL);
  assert_explained (g, "\n  why: `n` is 1 here, written at dir/a.c:10 (step 4) by thread 2. Thread 2 reads `n` in step "
                       "1 and writes it in "
                       "step 4; what thread 1 writes in between, in step 3, is lost.\n"
                       "  fix: make reading and writing `n` at dir/a.c:10 one step: hold a lock around both, or use an "
                       "atomic operation.\n");
}

static void lines_are_broken (void **state) {
  (void) state;
  verdict v;
  verdict_init (&v);
  vec_push (&v.goals, waiting_goal (IR_NONE));
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream (&text, &size);
  report_explanation (&v, &v.goals.data[0], &(report_style){.columns = 40}, f);
  fclose (f);
  for (const char *line = text; *line; line += strcspn (line, "\n") + 1) assert_true (strcspn (line, "\n") <= 40);
  free (text);
  verdict_release (&v);
}

TEST_MAIN (cmocka_unit_test (race_by_facts_of_the_analysis), cmocka_unit_test (race_by_its_trace),
           cmocka_unit_test (race_of_readers), cmocka_unit_test (race_with_free_and_atomics),
           cmocka_unit_test (cycle_of_locks), cmocka_unit_test (own_lock), cmocka_unit_test (lost_wakeup),
           cmocka_unit_test (misuse_with_its_history), cmocka_unit_test (freed_by_another_thread),
           cmocka_unit_test (lost_update_behind_an_assertion), cmocka_unit_test (lines_are_broken))
