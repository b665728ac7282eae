// Reduced circuits: the answers are those of the original by enumeration, paths can be lifted, and known circuits are
// reduced as expected.
#include "netlist/random_netlist_test.h"
#include "netlist/netlist_reduce.h"
#include "netlist/netlist_simulate.h"

static const budget no_limit = {0};
static const net_reduce_options everything = {.budget = &no_limit, .conflicts = 1000};

static net_goals one_bad (const uint32_t *bad) { return (net_goals){.bads = bad, .num_bads = 1}; }

// ---- answers ----------------------------------------------------------------------------------------

// Compares each latch of the original with its replacement in all reachable states.
static void check_same (const net_reduction *r, const netlist *n, const naive *all) {
  bool value[NAIVE_NODES];
  for (unsigned s = 0; s < naive_num_states (n); s++) {
    if (all->distance[s] == NAIVE_NEVER) continue;
    naive_evaluate (n, s, 0, value);
    for (uint32_t k = 0; k < n->latches.count; k++)
      assert_int_equal (naive_literal (value, r->same.data[k]), s >> k & 1);
  }
}

static void check_maps (const net_reduction *r, const netlist *n) {
  assert_int_equal (r->inputs.count, r->circuit.inputs.count);
  assert_int_equal (r->latches.count, r->circuit.latches.count);
  for (uint32_t k = 0; k < r->latches.count; k++) {
    const net_latch *small = &r->circuit.latches.data[k], *large = &n->latches.data[r->latches.data[k]];
    assert_int_equal (small->reset, large->reset);
    assert_true (small->name ? !strcmp (small->name, large->name) : !large->name);
  }
}

// Finds a path of `n` to the bad state, backwards by distance.
static void find_path (const netlist *n, const naive *all, aig_lit bad, net_path *p) {
  unsigned length = naive_shortest (n, all, bad), state = 0;
  bool value[NAIVE_NODES];
  unsigned inputs[NAIVE_STATES + 1];
  *p = (net_path){.length = length, .loop = NET_NO_LOOP};
  for (unsigned step = length, target = 0; step-- > 0; target = state) {
    bool found = false;
    for (unsigned s = 0; s < naive_num_states (n) && !found; s++)
      for (unsigned i = 0; all->distance[s] == step && i < naive_num_inputs (n) && !found; i++) {
        naive_evaluate (n, s, i, value);
        found = naive_allowed (n, value) &&
                (step + 1 == length ? naive_literal (value, bad) : naive_next (n, value) == target);
        if (found) state = s, inputs[step] = i;
      }
    assert_true (found);
  }
  for (uint32_t k = 0; k < n->latches.count; k++) vec_push (&p->start, state >> k & 1);
  for (unsigned step = 0; step < length; step++)
    for (uint32_t k = 0; k < n->inputs.count; k++) vec_push (&p->inputs, inputs[step] >> k & 1);
}

static void check_bad (const net_reduction *r, const netlist *n, const naive *of_small, const naive *of_large,
                       uint32_t bad) {
  aig_lit small = r->circuit.bads.data[0].holds;
  unsigned shortest = naive_shortest (n, of_large, n->bads.data[bad].holds);
  assert_int_equal (naive_shortest (&r->circuit, of_small, small), shortest);
  if (!shortest) return;
  net_path p, lifted;
  find_path (&r->circuit, of_small, small, &p);
  assert_true (net_path_shows (&r->circuit, 0, &p));
  assert_true (net_reduction_lift (r, n, &p, &lifted));
  assert_true (net_path_shows (n, bad, &lifted));
  net_path_release (&p);
  net_path_release (&lifted);
}

// Lifts lassos of the smaller circuit that show the justice property; they are found by random simulation.
static unsigned check_lassos (const net_reduction *r, const netlist *n, rng *random) {
  unsigned shown = 0;
  for (unsigned attempt = 0; attempt < 20; attempt++) {
    net_path p = {.length = 1 + rng_below (random, 4)}, lifted;
    p.loop = rng_below (random, p.length);
    for (uint32_t k = 0; k < r->circuit.latches.count; k++) {
      net_reset reset = r->circuit.latches.data[k].reset;
      vec_push (&p.start, reset == NET_ANY ? rng_below (random, 2) : reset == NET_ONE);
    }
    for (uint32_t k = 0; k < p.length * r->circuit.inputs.count; k++) vec_push (&p.inputs, rng_below (random, 2));
    if (net_path_shows_justice (&r->circuit, 0, &p)) {
      assert_true (net_reduction_lift (r, n, &p, &lifted));
      assert_true (net_path_shows_justice (n, 0, &lifted));
      net_path_release (&lifted);
      shown++;
    }
    net_path_release (&p);
  }
  return shown;
}

static void answers_are_the_same (void **state) {
  (void) state;
  unsigned constants = 0, equals = 0, violated = 0, lassos = 0;
  for (uint64_t seed = 0; seed < 1500; seed++) {
    rng random = {seed};
    netlist n;
    net_reduction r;
    naive of_large, of_small;
    random_shape shape = random_small_shape (&random);
    shape.justice = 1, shape.fairness = rng_below (&random, 2);
    random_netlist (&n, &random, shape);
    naive_explore (&n, &of_large);
    for (uint32_t bad = 0; bad < n.bads.count; bad++) {
      uint32_t justice = 0;
      net_goals goals = {.bads = &bad, .num_bads = 1, .justice = &justice, .num_justice = bad == 0};
      net_reduce (&r, &n, &goals, &everything);
      check_maps (&r, &n);
      check_same (&r, &n, &of_large);
      naive_explore (&r.circuit, &of_small);
      check_bad (&r, &n, &of_small, &of_large, bad);
      assert_int_equal (r.circuit.justice.count, bad == 0);
      if (bad == 0) {
        bool truth = naive_justice_violated (&n, &of_large, &n.justice.data[0]);
        assert_int_equal (naive_justice_violated (&r.circuit, &of_small, &r.circuit.justice.data[0]), truth);
        violated += truth, lassos += check_lassos (&r, &n, &random);
      }
      constants += r.constants, equals += r.equals;
      net_reduction_release (&r);
    }
    netlist_release (&n);
  }
  assert_true (constants > 100 && equals > 100 && violated > 100 && lassos > 100);
}

// ---- known circuits ---------------------------------------------------------------------------------

// Adds a counter that counts when `tick` holds.  Each bit starts as the bit of `start`, and is stored complemented if
// the bit of `turned` is set.
static aig_lit add_counter (netlist *n, aig_lit tick, unsigned bits, unsigned start, unsigned turned, aig_lit *values) {
  uint32_t first = n->latches.count;
  for (unsigned k = 0; k < bits; k++) {
    aig_lit now = netlist_add_latch (n, ((start ^ turned) >> k & 1) ? NET_ONE : NET_ZERO, NULL);
    values[k] = (aig_lit){now.i ^ (turned >> k & 1)};
  }
  aig_lit carry = tick;
  for (unsigned k = 0; k < bits; k++) {
    aig_lit next = aig_xor (&n->graph, values[k], carry);
    carry = aig_and (&n->graph, carry, values[k]);
    netlist_set_next (n, first + k, (aig_lit){next.i ^ (turned >> k & 1)});
  }
  return carry;
}

// Two equal counters, one of them stored differently: one of them is removed, and with it the bad state that they
// differ.
static void equal_counters_become_one (void **state) {
  (void) state;
  netlist n;
  net_reduction r;
  aig_lit a[20], b[20], differ = AIG_FALSE, full = AIG_TRUE;
  netlist_init (&n);
  aig_lit tick = netlist_add_input (&n, "tick");
  add_counter (&n, tick, 20, 0x1234, 0, a);
  add_counter (&n, tick, 20, 0x1234, 0xABCDE, b);
  for (unsigned k = 0; k < 20; k++) {
    differ = aig_or (&n.graph, differ, aig_xor (&n.graph, a[k], b[k]));
    full = aig_and (&n.graph, full, aig_and (&n.graph, a[k], b[k]));
  }
  netlist_add_bad (&n, differ, "differ");
  netlist_add_bad (&n, full, "full");
  net_goals first = one_bad (&(uint32_t){0}), second = one_bad (&(uint32_t){1});
  net_reduce (&r, &n, &first, &everything);
  assert_int_equal (r.before.latches, 40);
  assert_int_equal (r.after.latches, 0);
  assert_int_equal (r.after.inputs, 0);
  assert_int_equal (r.circuit.bads.data[0].holds.i, AIG_FALSE.i);
  net_reduction_release (&r);
  net_reduce (&r, &n, &second, &everything);
  assert_int_equal (r.after.latches, 20);
  assert_int_equal (r.equals, 20);
  assert_int_equal (r.same.data[21].i, aig_not (n.latches.data[1].now).i);
  net_reduction_release (&r);
  net_reduce (&r, &n, &second, &(net_reduce_options){.budget = &no_limit});
  assert_int_equal (r.after.latches, 40);
  assert_int_equal (r.sat_calls, 0);
  net_reduction_release (&r);
  net_reduce (&r, &n, &second, &(net_reduce_options){.budget = &no_limit, .conflicts = 1000, .max_ands = 10});
  assert_int_equal (r.after.latches, 40);
  net_reduction_release (&r);
  netlist_release (&n);
}

// Two latches are equal only if the constraint holds.
static void constraints_count (void **state) {
  (void) state;
  netlist n;
  net_reduction r;
  netlist_init (&n);
  aig_lit x = netlist_add_input (&n, NULL), y = netlist_add_input (&n, NULL),
          a = netlist_add_latch (&n, NET_ZERO, NULL);
  aig_lit b = netlist_add_latch (&n, NET_ONE, NULL), c = netlist_add_latch (&n, NET_ZERO, NULL);
  netlist_set_next (&n, 0, x);
  netlist_set_next (&n, 1, aig_not (y));
  netlist_set_next (&n, 2, aig_xor (&n.graph, c, netlist_add_input (&n, NULL)));
  netlist_add_bad (&n, aig_and (&n.graph, a, b), NULL);
  net_goals goals = one_bad (&(uint32_t){0});
  net_reduce (&r, &n, &goals, &everything);
  assert_int_equal (r.after.latches, 2);
  net_reduction_release (&r);
  netlist_add_constraint (&n, aig_not (aig_xor (&n.graph, x, y)), NULL);
  net_reduce (&r, &n, &goals, &everything);
  assert_int_equal (r.after.latches, 0);
  assert_int_equal (r.circuit.bads.data[0].holds.i, AIG_FALSE.i);
  assert_int_equal (r.circuit.constraints.count, 1);
  net_reduction_release (&r);
  netlist_add_constraint (&n, aig_not (c), NULL);
  net_reduce (&r, &n, &goals, &everything);
  assert_int_equal (r.after.latches, 1);
  assert_int_equal (r.latches.data[0], 2);
  net_reduction_release (&r);
  netlist_release (&n);
}

// The loop of one step in the smaller circuit needs 2^12 steps in the original, where a removed counter still counts.
static void lassos_wait_for_what_was_left_out (void **state) {
  (void) state;
  netlist n;
  net_reduction r;
  aig_lit bits[21];
  uint32_t zero = 0;
  for (unsigned size = 12; size <= 21; size += 9) {
    netlist_init (&n);
    aig_lit on = netlist_add_latch (&n, NET_ANY, NULL);
    add_counter (&n, AIG_TRUE, size, 5, 0, bits);
    net_justice *j = netlist_add_justice (&n, NULL);
    vec_push (&j->conditions, on);
    net_reduce (&r, &n, &(net_goals){.justice = &zero, .num_justice = 1}, &everything);
    assert_int_equal (r.after.latches, 1);
    net_path p = {.length = 1}, lifted;
    vec_push (&p.start, 1);
    assert_true (net_path_shows_justice (&r.circuit, 0, &p));
    assert_int_equal (net_reduction_lift (&r, &n, &p, &lifted), size == 12);
    if (size == 12) {
      assert_int_equal (lifted.length - lifted.loop, 1 << 12);
      assert_true (net_path_shows_justice (&n, 0, &lifted));
      net_path_release (&lifted);
    }
    net_path_release (&p);
    net_reduction_release (&r);
    netlist_release (&n);
  }
}

static void a_spent_budget_keeps_all_latches (void **state) {
  (void) state;
  netlist n;
  net_reduction r;
  budget spent = {.seconds = 1e-9};
  aig_lit a[4], b[4];
  netlist_init (&n);
  aig_lit tick = netlist_add_input (&n, NULL),
          both = aig_and (&n.graph, add_counter (&n, tick, 4, 0, 0, a), add_counter (&n, tick, 4, 0, 0, b));
  netlist_add_bad (&n, aig_and (&n.graph, both, netlist_add_latch (&n, NET_ONE, NULL)), NULL);
  net_goals goals = one_bad (&(uint32_t){0});
  net_reduce (&r, &n, &goals, &(net_reduce_options){.budget = &spent, .conflicts = 1000});
  assert_int_equal (r.after.latches, 9);
  net_reduction_release (&r);
  net_reduce (&r, &n, &goals, &everything);
  assert_int_equal (r.after.latches, 4);
  assert_int_equal (r.constants, 1);
  net_reduction_release (&r);
  netlist_release (&n);
}

TEST_MAIN (cmocka_unit_test (answers_are_the_same), cmocka_unit_test (equal_counters_become_one),
           cmocka_unit_test (constraints_count), cmocka_unit_test (lassos_wait_for_what_was_left_out),
           cmocka_unit_test (a_spent_budget_keeps_all_latches))
