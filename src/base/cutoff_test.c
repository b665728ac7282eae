// Cutoff: when work is abandoned, when it is not, and that no state of the jump remains afterwards.
#include "base/cutoff.h"

#include <sys/wait.h>
#include <unistd.h>

#include "base/test.h"

typedef struct work {
  uint32_t rounds, most;
  bool held;
  int status;
} work;

static void look_often (void *state) {
  work *w = state;
  cutoff_hold (w->held);
  while (w->rounds < w->most) {
    w->rounds++;
    cutoff_look ();
  }
  cutoff_hold (false);
}

static bool run (const budget *b, work *w) {
  cutoff c = {.budget = b};
  return cutoff_run (&c, look_often, w);
}

static void test_finished (void **state) {
  (void) state;
  budget b;
  work w = {.most = 1000};
  budget_start (&b, 0, 0);
  assert_true (run (&b, &w));
  assert_int_equal (w.rounds, 1000);
  assert_true (budget_completion (&b).is_complete);
}

static void test_left (void **state) {
  (void) state;
  budget b;
  work w = {.most = UINT32_MAX};
  budget_start (&b, 0.01, 0);
  assert_false (run (&b, &w));
  assert_true (w.rounds < UINT32_MAX);
  assert_false (budget_completion (&b).is_complete);
  work after = {.most = 1000};  // no state of the jump remains
  look_often (&after);
  assert_int_equal (after.rounds, 1000);
}

static void test_held (void **state) {
  (void) state;
  budget b;
  work w = {.most = 100 * CUTOFF_CALLS, .held = true};
  budget_start (&b, 1e-9, 0);
  assert_true (run (&b, &w));
}

// A process that was forked inside the work must not jump to its parent's cutoff_run.
static void fork_inside (void *state) {
  work *w = state;
  pid_t child = fork ();
  if (child == 0) {
    look_often (w);
    _exit (w->rounds == w->most ? 42 : 43);
  }
  waitpid (child, &w->status, 0);
}

static void test_forked (void **state) {
  (void) state;
  budget b;
  cutoff c = {.budget = &b};
  work w = {.most = 100 * CUTOFF_CALLS};
  budget_start (&b, 1e-9, 0);
  assert_true (cutoff_run (&c, fork_inside, &w));
  assert_int_equal (WEXITSTATUS (w.status), 42);
}

TEST_MAIN (cmocka_unit_test (test_finished), cmocka_unit_test (test_left), cmocka_unit_test (test_held),
           cmocka_unit_test (test_forked))
