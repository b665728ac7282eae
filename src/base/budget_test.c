// Budget: limits stop, absent limits do not, and Ctrl-C is noticed.  The random test compares with the arithmetic the
// texts promise, on budgets whose start is moved into the past instead of waiting.
#include "base/budget.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/rng.h"
#include "base/test.h"

static void no_limit_never_stops (void **state) {
  (void) state;
  budget b;
  budget_start (&b, 0, 0);
  b.start -= 1e6;
  assert_null (budget_spent (&b));
  assert_true (budget_left (&b) >= 1e9);
}

static void clock_moves_forward (void **state) {
  (void) state;
  double before = budget_now ();
  for (int i = 0; i < 1000; i++) {
    double now = budget_now ();
    assert_true (now >= before);
    before = now;
  }
}

static void a_part_names_the_whole (void **state) {
  (void) state;
  budget b;
  budget_start (&b, 20, 0);
  b.seconds = 0.5;
  b.start -= 1;
  assert_string_equal (budget_spent (&b), "time limit of 20 s");
}

// A record outlives its cause and is shared by copies; a spent part does not mark the whole budget.
static void being_spent_is_remembered (void **state) {
  (void) state;
  budget b, copy;
  budget_start (&b, 20, 0);
  copy = b;
  assert_true (budget_completion (&b).is_complete);
  copy.start -= 30;
  assert_non_null (budget_spent (&copy));
  assert_null (budget_spent (&b));
  assert_false (budget_completion (&b).is_complete);
  assert_false (budget_completion (&copy).is_complete);
}

static void a_part_has_a_record_of_its_own (void **state) {
  (void) state;
  budget b, part, rest;
  budget_start (&b, 20, 0);
  budget_part (&part, &b, 5);
  assert_true (budget_left (&part) <= 5);
  part.start -= 6;
  assert_string_equal (budget_spent (&part), "time limit of 20 s");
  assert_false (budget_completion (&part).is_complete);
  assert_true (budget_completion (&b).is_complete);
  budget_part (&rest, &b, 0);
  assert_true (budget_left (&rest) > 19);
  budget_part (&part, &b, 50);
  assert_true (budget_left (&part) <= 20);
  b.start -= 30;
  assert_non_null (budget_spent (&b));
  assert_false (budget_completion (&rest).is_complete);
}

static void without_a_record_there_is_no_evidence (void **state) {
  (void) state;
  budget b = {0};
  assert_null (budget_spent (&b));
  assert_false (budget_completion (&b).is_complete);
}

static void random_against_arithmetic (void **state) {
  (void) state;
  rng r = {13};
  for (int i = 0; i < 1000; i++) {
    double seconds = 10 + rng_below (&r, 100), past = rng_below (&r, 200) + 0.5;
    size_t limit = (size_t) (1 + rng_below (&r, 4)) << 20, held = (size_t) rng_below (&r, 5) << 20;
    size_t others = mem_live_bytes ();
    void *block = mem_alloc (held);
    budget b;
    budget_start (&b, seconds, limit);
    b.start -= past;
    // Times are half seconds apart, so the running time of the test does not matter.
    bool memory = others + held > limit, time = past > seconds;
    const char *why = budget_spent (&b);
    char expected[64] = "";
    if (memory) snprintf (expected, sizeof expected, "memory limit of %zu MB", limit >> 20);
    else if (time) snprintf (expected, sizeof expected, "time limit of %g s", seconds);
    if (memory || time) assert_string_equal (why, expected);
    else assert_null (why);
    assert_int_equal (budget_left (&b) < 0, time);
    assert_true (budget_elapsed (&b) >= past);
    mem_free (block, held);
  }
}

static void count (void *state) { ++*(int *) state; }

static void who_watches_is_called (void **state) {
  (void) state;
  int times = 0;
  budget b;
  budget_start (&b, 0, 0);
  b.watch = count;
  b.watch_state = &times;
  for (int i = 0; i < 3; i++) assert_null (budget_spent (&b));
  assert_int_equal (times, 3);
}

// Last: from here on every budget of this process is spent.
static void interrupt_stops (void **state) {
  (void) state;
  budget b;
  budget_start (&b, 0, 0);
  signal (SIGINT, SIG_DFL);  // ignored where the tests run in the background
  budget_catch_interrupts ();
  assert_false (budget_interrupted ());
  raise (SIGINT);
  assert_true (budget_interrupted ());
  assert_string_equal (budget_spent (&b), "interrupted");
  raise (SIGINT);  // at once: counts as the same interruption
  assert_false (budget_completion (&b).is_complete);
}

// Time that is kept back shortens the whole budget, its parts, its copies and parts of parts, unless a part ends
// earlier anyway.
static void test_kept_back (void **state) {
  (void) state;
  budget all, part, short_part, none;
  budget_start (&all, 1000, 0);
  budget_part (&part, &all, 0);
  budget_part (&short_part, &part, 100);
  budget copy = all;
  budget_keep_back (&short_part, 10);
  assert_null (budget_spent (&all));
  assert_null (budget_spent (&short_part));
  all.start -= 950;  // the clock of the copies goes on as before
  budget_keep_back (&part, 40);
  assert_null (budget_spent (&copy));
  budget_keep_back (&part, 60);
  assert_non_null (budget_spent (&copy));
  assert_non_null (budget_spent (&short_part));
  assert_false (budget_completion (&all).is_complete);
  budget_start (&none, 0, 0);
  budget_keep_back (&none, 10);
  assert_null (budget_spent (&none));
}

TEST_MAIN (cmocka_unit_test (test_kept_back), cmocka_unit_test (no_limit_never_stops),
           cmocka_unit_test (clock_moves_forward), cmocka_unit_test (a_part_names_the_whole),
           cmocka_unit_test (being_spent_is_remembered), cmocka_unit_test (a_part_has_a_record_of_its_own),
           cmocka_unit_test (without_a_record_there_is_no_evidence), cmocka_unit_test (random_against_arithmetic),
           cmocka_unit_test (who_watches_is_called), cmocka_unit_test (interrupt_stops))
