// Interleavings of two threads have exactly the outcomes that sequential consistency allows.
#include "engine/order/event_order.h"

#include "engine/order/order_fixture_test.h"

#define OUTCOME(P, Q) (1u << (2 * (P) + (Q)))
#define READ(FROM, TO) "r1 = load.4 &" FROM "; store.4 &" TO ", r1"
#define LOCK "r4 = mutex_lock &m; "
#define UNLOCK "; r4 = mutex_unlock &m"

static void store_buffering (void **state) {
  (void) state;
  assert_outcomes ((lines){.one = "store.4 &x, 1:32; " READ ("y", "p"), .two = "store.4 &y, 1:32; " READ ("x", "q")},
                   OUTCOME (0, 1) | OUTCOME (1, 0) | OUTCOME (1, 1));
}

static void load_buffering (void **state) {
  (void) state;
  assert_outcomes ((lines){.one = READ ("y", "p") "; store.4 &x, 1:32", .two = READ ("x", "q") "; store.4 &y, 1:32"},
                   OUTCOME (0, 0) | OUTCOME (0, 1) | OUTCOME (1, 0));
}

static void message_passing (void **state) {
  (void) state;
  assert_outcomes ((lines){.one = "store.4 &x, 1:32; store.4 &y, 1:32", .two = READ ("y", "p") "; " READ ("x", "q")},
                   OUTCOME (0, 0) | OUTCOME (0, 1) | OUTCOME (1, 1));
}

static void reads_do_not_go_back (void **state) {
  (void) state;
  assert_outcomes ((lines){.one = "store.4 &x, 1:32", .two = READ ("x", "p") "; " READ ("x", "q")},
                   OUTCOME (0, 0) | OUTCOME (0, 1) | OUTCOME (1, 1));
}

static void the_last_write_counts (void **state) {
  (void) state;
  assert_outcomes ((lines){.one = "store.4 &p, 1:32; store.4 &q, 1:32", .two = "store.4 &p, 0:32; store.4 &q, 0:32"},
                   OUTCOME (0, 0) | OUTCOME (0, 1) | OUTCOME (1, 0) | OUTCOME (1, 1));
}

static void reading_and_writing_is_one_moment (void **state) {
  (void) state;
  assert_outcomes ((lines){.one = "r1 = rmw.4 add seq_cst &x, 1:32; store.4 &p, r1",
                           .two = "r1 = rmw.4 add seq_cst &x, 1:32; store.4 &q, r1"},
                   OUTCOME (0, 1) | OUTCOME (1, 0));
}

static void locks_exclude (void **state) {
  (void) state;
  assert_outcomes ((lines){.one = LOCK "store.4 &x, 1:32; store.4 &x, 0:32; store.4 &y, 1:32" UNLOCK,
                           .two = LOCK READ ("x", "p") "; " READ ("y", "q") UNLOCK},
                   OUTCOME (0, 0) | OUTCOME (0, 1));
  assert_outcomes ((lines){.one = "store.4 &x, 1:32; store.4 &x, 0:32; store.4 &y, 1:32",
                           .two = LOCK READ ("x", "p") "; " READ ("y", "q") UNLOCK},
                   OUTCOME (0, 0) | OUTCOME (0, 1) | OUTCOME (1, 0) | OUTCOME (1, 1));
}

static void regions_exclude (void **state) {
  (void) state;
  assert_outcomes ((lines){.one = "atomic_begin; store.4 &x, 1:32; store.4 &x, 0:32; store.4 &y, 1:32; atomic_end",
                           .two = "atomic_begin; " READ ("x", "p") "; " READ ("y", "q") "; atomic_end"},
                   OUTCOME (0, 0) | OUTCOME (0, 1));
}

static void the_creator_meets_its_threads (void **state) {
  (void) state;
  assert_outcomes ((lines){.before = "store.4 &x, 1:32", .between = "store.4 &x, 0:32", .one = READ ("x", "p")},
                   OUTCOME (0, 0) | OUTCOME (1, 0));
}

// After YES, `line` holds the executed nodes; the nodes of each thread are in program order.
static void the_line_is_an_execution (void **state) {
  (void) state;
  order_fixture s;
  order_fixture_init (
      &s, (lines){.one = "store.4 &x, 1:32; " READ ("y", "p"), .two = "store.4 &y, 1:32; " READ ("x", "q")}, 1);
  assert_true (order_fixture_can (&s, s.terms.truth));
  uint32_t next[8] = {0};
  for (uint32_t k = 0; k < s.order->line.count; k++) {
    const unwound_node *n = &s.unwound.nodes.data[s.order->line.data[k]];
    assert_true (order_is_executed (s.order, s.order->line.data[k]) && n->index >= next[n->thread]);
    next[n->thread] = n->index + 1;
  }
  for (uint32_t t = 0; t < s.unwound.threads.count; t++)
    assert_int_equal (next[t], s.unwound.threads.data[t].nodes.count);
  order_fixture_release (&s);
}

TEST_MAIN (cmocka_unit_test (store_buffering), cmocka_unit_test (load_buffering), cmocka_unit_test (message_passing),
           cmocka_unit_test (reads_do_not_go_back), cmocka_unit_test (the_last_write_counts),
           cmocka_unit_test (reading_and_writing_is_one_moment), cmocka_unit_test (locks_exclude),
           cmocka_unit_test (regions_exclude), cmocka_unit_test (the_creator_meets_its_threads),
           cmocka_unit_test (the_line_is_an_execution))
