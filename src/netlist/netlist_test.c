// The tables of circuits: added items have their names, and the inputs of the graph map back to inputs and latches.
#include "netlist/random_netlist_test.h"

// The example of the header: a switch.
static void parts_are_kept (void **state) {
  (void) state;
  netlist n;
  char name[] = "tick";
  netlist_init (&n);
  aig_lit tick = netlist_add_input (&n, name), on = netlist_add_latch (&n, NET_ONE, NULL);
  name[0] = 'x';
  netlist_set_next (&n, 0, aig_xor (&n.graph, on, tick));
  netlist_add_bad (&n, aig_and (&n.graph, on, tick), "switched off");
  netlist_add_constraint (&n, aig_not (tick), "quiet");
  netlist_add_fairness (&n, tick, NULL);
  net_justice *often = netlist_add_justice (&n, "often");
  vec_push (&often->conditions, on);
  assert_string_equal (n.inputs.data[0].name, "tick");
  assert_null (n.latches.data[0].name);
  assert_int_equal (n.latches.data[0].reset, NET_ONE);
  assert_int_equal (n.latches.data[0].next.i, aig_xor (&n.graph, tick, on).i);
  assert_int_equal (n.bads.data[0].holds.i, aig_and (&n.graph, tick, on).i);
  assert_string_equal (n.bads.data[0].name, "switched off");
  assert_int_equal (n.constraints.data[0].holds.i, aig_not (tick).i);
  assert_string_equal (n.constraints.data[0].name, "quiet");
  assert_int_equal (n.fairness.data[0].holds.i, tick.i);
  assert_int_equal (n.justice.data[0].conditions.data[0].i, on.i);
  assert_string_equal (n.justice.data[0].name, "often");
  netlist_release (&n);
}

static void a_latch_keeps_its_value_unless_told (void **state) {
  (void) state;
  netlist n;
  netlist_init (&n);
  aig_lit x = netlist_add_latch (&n, NET_ANY, "x");
  assert_int_equal (n.latches.data[0].next.i, x.i);
  netlist_release (&n);
}

static void nodes_lead_back_to_their_inputs (void **state) {
  (void) state;
  for (uint64_t seed = 0; seed < 100; seed++) {
    rng r = {seed};
    netlist n;
    random_netlist (&n, &r, (random_shape){.inputs = 20, .latches = 20, .ands = 40, .bads = 1, .justice = 2});
    for (uint32_t k = 0; k < 20; k++) {
      assert_int_equal (*map_find (&n.of_node, n.inputs.data[k].now.i / 2), 2 * k);
      assert_int_equal (*map_find (&n.of_node, n.latches.data[k].now.i / 2), 2 * k + 1);
    }
    assert_int_equal (n.of_node.entries.count, 40);
    netlist_release (&n);
  }
}

TEST_MAIN (cmocka_unit_test (parts_are_kept), cmocka_unit_test (a_latch_keeps_its_value_unless_told),
           cmocka_unit_test (nodes_lead_back_to_their_inputs))
