// The unwound program: which accesses are events, what is transferred to a thread and back, where paths are cut.
#include "engine/order/walk.h"

#include "engine/order/order_fixture_test.h"

#define OUTCOME(P, Q) (1u << (2 * (P) + (Q)))

static void memory_of_one_at_a_time_has_no_events (void **state) {
  (void) state;
  order_fixture s;
  order_fixture_init (&s, (lines){.before = "store.4 &x, 1:32", .one = "store.4 &p, 1:32", .two = "store.4 &q, 1:32"},
                      1);
  assert_int_equal (s.unwound.events.count, 0);
  assert_int_equal (s.unwound.threads.count, 3);
  assert_int_equal (order_fixture_outcomes (&s), OUTCOME (1, 1));
  order_fixture_release (&s);
}

static void shared_memory_has_events (void **state) {
  (void) state;
  order_fixture s;
  order_fixture_init (&s, (lines){.one = "store.4 &x, 1:32", .two = "r1 = load.4 &x; store.4 &q, r1"}, 1);
  assert_int_equal (s.unwound.events.count, 2);
  assert_int_equal (order_fixture_outcomes (&s), OUTCOME (0, 0) | OUTCOME (0, 1));
  order_fixture_release (&s);
}

// Cells are as small as the smallest access: a read of the whole word sees a write of half of it.
static void accesses_of_different_sizes (void **state) {
  (void) state;
  assert_outcomes ((lines){.one = "store.1 &x, 1:8; store.1 &x+1, 1:8",
                           .two = "r1 = load.4 &x; store.4 &p, (r1 & 1:32); store.4 &q, ((r1 u>> 8:32) & 1:32)"},
                   OUTCOME (0, 0) | OUTCOME (1, 0) | OUTCOME (1, 1));
}

// One element is shared, another belongs to one thread until that thread is joined; then an index may name both.
static void an_index_sees_what_was_handed_back (void **state) {
  (void) state;
  assert_outcomes (
      (lines){.one = "store.4 &array, 2:32; store.4 &array+4, 1:32",
              .two = "store.4 &array, 3:32",
              .after =
                  "r5 = nondet; r5 = assign ((r5 & 1:64) + 1:64); r1 = load.4 (&array + (r5 * 4:64)); store.4 &p, r1"},
      OUTCOME (0, 0) | OUTCOME (1, 0));
}

static void a_thread_gives_back_only_what_it_changed (void **state) {
  (void) state;
  assert_outcomes (
      (lines){.before = "store.4 &p, 0:32; store.4 &q, 0:32", .between = "store.4 &p, 1:32", .two = "store.4 &q, 1:32"},
      OUTCOME (1, 1));
}

static void who_is_blocked_does_not_come_back (void **state) {
  (void) state;
  assert_outcomes ((lines){.before = "r4 = mutex_lock &m", .one = "r4 = mutex_lock &m"}, 0);
}

TEST_MAIN (cmocka_unit_test (memory_of_one_at_a_time_has_no_events), cmocka_unit_test (shared_memory_has_events),
           cmocka_unit_test (accesses_of_different_sizes), cmocka_unit_test (an_index_sees_what_was_handed_back),
           cmocka_unit_test (a_thread_gives_back_only_what_it_changed),
           cmocka_unit_test (who_is_blocked_does_not_come_back))
