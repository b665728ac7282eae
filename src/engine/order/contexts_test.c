// Executions with few context switches: exactly the outcomes that need no more switches, both with total-order literals
// for pairs of nodes and without them.
#include "engine/order/contexts.h"

#include "engine/order/order_fixture_test.h"
#include "engine/order/total_order.h"

#define OUTCOME(P, Q) (1u << (2 * (P) + (Q)))
#define READ(FROM, TO) "r1 = load.4 &" FROM "; store.4 &" TO ", r1"

// Thread 0 owns the first and the last context.
static const lines store_buffering = {.one = "store.4 &x, 1:32; " READ ("y", "p"),
                                      .two = "store.4 &y, 1:32; " READ ("x", "q")};

static void drop_total_order (order *o) {
  total_order_free (o->total);
  o->total = NULL;
}

static uint32_t outcomes_within (lines l, uint64_t most_switches, bool by_graph) {
  order_fixture s;
  order_fixture_init (&s, l, 1);
  if (by_graph) drop_total_order (s.order);
  order_bound_contexts (s.order, most_switches);
  uint32_t outcomes = order_fixture_outcomes (&s);
  order_fixture_release (&s);
  return outcomes;
}

static void assert_within (lines l, uint64_t most_switches, uint32_t expected) {
  assert_int_equal (outcomes_within (l, most_switches, false), expected);
  assert_int_equal (outcomes_within (l, most_switches, true), expected);
}

static void outcomes_need_switches (void **state) {
  (void) state;
  const uint32_t one_by_one = OUTCOME (0, 1) | OUTCOME (1, 0);
  assert_within (store_buffering, 1, 0);
  assert_within (store_buffering, 2, 0);
  assert_within (store_buffering, 3, one_by_one);
  assert_within (store_buffering, 4, one_by_one | OUTCOME (1, 1));
  assert_within (store_buffering, 1000, one_by_one | OUTCOME (1, 1));
}

// Thread 1 has to read x at two moments, and thread 2 has to write before each of them.
static void every_change_of_the_thread_counts (void **state) {
  (void) state;
  const lines l = {.one = "store.4 &x, 1:32; store.4 &x, 0:32; store.4 &x, 1:32",
                   .two = READ ("x", "p") "; r2 = load.4 &x; r3 = load.4 &x; store.4 &q, (r3 & (r2 ^ 1:32))"};
  assert_int_equal (outcomes_within (l, 6, false) & OUTCOME (1, 1), 0);
  assert_int_equal (outcomes_within (l, 7, false) & OUTCOME (1, 1), OUTCOME (1, 1));
  assert_int_equal (outcomes_within (l, 7, true) & OUTCOME (1, 1), OUTCOME (1, 1));
}

static uint32_t switches_of_line (const order_fixture *s) {
  uint32_t switches = 0;
  for (uint32_t k = 1; k < s->order->line.count; k++)
    switches += s->unwound.nodes.data[s->order->line.data[k]].thread !=
                s->unwound.nodes.data[s->order->line.data[k - 1]].thread;
  return switches;
}

static void the_line_keeps_to_it (void **state) {
  bool by_graph = *(const bool *) *state;
  order_fixture s;
  order_fixture_init (&s, store_buffering, 1);
  if (by_graph) drop_total_order (s.order);
  order_bound_contexts (s.order, 4);
  for (uint32_t k = 0; k < s.unwound.goals.count; k++)
    if (order_fixture_can (&s, order_condition (s.order, &s.unwound.goals.data[k])))
      assert_true (switches_of_line (&s) <= 4);
  order_fixture_release (&s);
}

static void no_bound_where_no_execution_has_more (void **state) {
  (void) state;
  order_fixture s;
  order_fixture_init (&s, (lines){.one = "store.4 &x, 1:32", .two = READ ("x", "p")}, 1);
  uint64_t nodes = s.unwound.nodes.count;
  assert_null (contexts_new (s.order, nodes - 1));
  contexts *x = contexts_new (s.order, 1);
  assert_non_null (x);
  contexts_free (x);
  order_fixture_release (&s);
}

static bool by_literals = false, by_graph = true;

TEST_MAIN (cmocka_unit_test (outcomes_need_switches), cmocka_unit_test (every_change_of_the_thread_counts),
           cmocka_unit_test_prestate (the_line_keeps_to_it, &by_literals),
           cmocka_unit_test_prestate (the_line_keeps_to_it, &by_graph),
           cmocka_unit_test (no_bound_where_no_execution_has_more))
