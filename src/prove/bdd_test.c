// Tests proofs by decision diagrams: small random circuits against enumeration, larger ones whose answers are known,
// and what happens when time or nodes run out.
#include <string.h>

#include "netlist/random_netlist_test.h"
#include "netlist/netlist_simulate.h"
#include "prove/prove.h"

static const budget no_limit = {0};
static const prove_options plain = {.budget = &no_limit};

// ---- against enumeration ----------------------------------------------------------------------------

static bool certificate_value (const prove_certificate *c, unsigned state) {
  bool value[NAIVE_NODES] = {0};
  assert_true (c->graph.nodes.count && c->graph.nodes.count <= NAIVE_NODES);
  for (uint32_t i = 1; i < c->graph.nodes.count; i++) {
    aig_node n = c->graph.nodes.data[i];
    value[i] = aig_is_input (&c->graph, i) ? state >> n.right.i & 1
                                           : naive_literal (value, n.left) & naive_literal (value, n.right);
  }
  return naive_literal (value, c->holds);
}

// Checks that the invariant is true of every reached state, preserved by every step, and excludes the bad state.
static void check_certificate (const netlist *n, const naive *all, aig_lit bad, const prove_certificate *c) {
  assert_int_equal (c->depth, 1);
  assert_int_equal (c->graph.num_inputs, n->latches.count);
  for (unsigned s = 0; s < naive_num_states (n); s++) {
    if (!certificate_value (c, s)) {
      assert_int_equal (all->distance[s], NAIVE_NEVER);
      continue;
    }
    assert_false (naive_possible (n, s, bad));
    for (unsigned t = 0; t < naive_num_states (n); t++)
      if (all->follows[s] >> t & 1) assert_true (certificate_value (c, t));
  }
}

static void check_bad (const netlist *n, const naive *all, uint32_t bad) {
  prove_result r;
  unsigned shortest = naive_shortest (n, all, n->bads.data[bad].holds);
  prove_by_bdd (n, bad, &plain, &r);
  assert_int_equal (r.answer, shortest ? PROVE_VIOLATED : PROVE_HOLDS);
  if (shortest) {
    assert_int_equal (r.path.length, shortest);
    assert_int_equal (r.depth, shortest);
    assert_true (net_path_shows (n, bad, &r.path));
  } else check_certificate (n, all, n->bads.data[bad].holds, &r.certificate);
  prove_result_release (&r);
}

static void check_bounded (const netlist *n, const naive *all, uint32_t bound) {
  prove_result r;
  unsigned shortest = naive_shortest (n, all, n->bads.data[0].holds);
  prove_by_bdd (n, 0, &(prove_options){.budget = &no_limit, .max_depth = bound}, &r);
  if (shortest && shortest <= bound) assert_int_equal (r.answer, PROVE_VIOLATED);
  else assert_true (r.answer == PROVE_BOUNDED ? r.depth == bound : r.answer == PROVE_HOLDS && !shortest);
  prove_result_release (&r);
}

static void random_circuits_match_enumeration (void **state) {
  (void) state;
  for (uint64_t seed = 0; seed < 1000; seed++) {
    rng r = {seed};
    netlist n;
    naive all;
    random_netlist (&n, &r, random_small_shape (&r));
    naive_explore (&n, &all);
    for (uint32_t bad = 0; bad < n.bads.count; bad++) check_bad (&n, &all, bad);
    check_bounded (&n, &all, 1 + rng_below (&r, 4));
    netlist_release (&n);
  }
}

// ---- larger circuits --------------------------------------------------------------------------------

// Makes a circuit in which a token goes round among `size` places, when its holder's input says so. Bad: two places
// have it, or, with `end`, the last one has it.
static void make_ring (netlist *n, unsigned size, bool end) {
  aig_lit at[256], go[256], bad = AIG_FALSE, seen = AIG_FALSE;
  netlist_init (n);
  for (unsigned k = 0; k < size; k++) {
    at[k] = netlist_add_latch (n, k ? NET_ZERO : NET_ONE, NULL);
    go[k] = netlist_add_input (n, NULL);
  }
  for (unsigned k = 0; k < size; k++) {
    unsigned before = (k + size - 1) % size;
    aig_lit comes = aig_and (&n->graph, at[before], go[before]), stays = aig_and (&n->graph, at[k], aig_not (go[k]));
    netlist_set_next (n, k, aig_or (&n->graph, comes, stays));
    bad = aig_or (&n->graph, bad, aig_and (&n->graph, seen, at[k]));
    seen = aig_or (&n->graph, seen, at[k]);
  }
  netlist_add_bad (n, end ? at[size - 1] : bad, NULL);
}

static void rings_of_a_hundred_places (void **state) {
  (void) state;
  prove_result r;
  netlist n;
  make_ring (&n, 100, false);
  prove_by_bdd (&n, 0, &plain, &r);
  assert_int_equal (r.answer, PROVE_HOLDS);
  assert_int_equal (r.depth, 100);
  prove_result_release (&r);
  netlist_release (&n);
  make_ring (&n, 100, true);
  prove_by_bdd (&n, 0, &plain, &r);
  assert_int_equal (r.answer, PROVE_VIOLATED);
  assert_int_equal (r.path.length, 100);
  prove_result_release (&r);
  netlist_release (&n);
}

// Makes a circuit with two constant words of `bits` bits; bad: their product is the number. Its diagrams are large in
// any order.
static void make_product (netlist *n, unsigned bits, uint64_t number) {
  aig_lit x[32], y[32], sum[64], all = AIG_TRUE;
  netlist_init (n);
  for (unsigned k = 0; k < bits; k++) x[k] = netlist_add_latch (n, NET_ANY, NULL);
  for (unsigned k = 0; k < bits; k++) y[k] = netlist_add_latch (n, NET_ANY, NULL);
  for (unsigned k = 0; k < 2 * bits; k++) sum[k] = AIG_FALSE;
  for (unsigned i = 0; i < bits; i++) {
    aig_lit carry = AIG_FALSE;
    for (unsigned k = 0; k < bits; k++) {
      aig_lit a = sum[i + k], b = aig_and (&n->graph, x[i], y[k]), half = aig_xor (&n->graph, a, b);
      sum[i + k] = aig_xor (&n->graph, half, carry);
      carry = aig_or (&n->graph, aig_and (&n->graph, a, b), aig_and (&n->graph, half, carry));
    }
    sum[i + bits] = carry;
  }
  for (unsigned k = 0; k < 2 * bits; k++) all = aig_and (&n->graph, all, number >> k & 1 ? sum[k] : aig_not (sum[k]));
  netlist_add_bad (n, all, NULL);
}

// Uses small tables, so that there is garbage, they have to grow, and variables are reordered. Division decides which
// numbers are products.
static void products_are_factored (void **state) {
  (void) state;
  static const budget small = {.bytes = 16 << 20};
  static const uint64_t numbers[] = {503 * 509, 503 * 509 + 2, 511 * 511, 255989};
  for (unsigned k = 0; k < sizeof numbers / sizeof *numbers; k++) {
    prove_result r;
    netlist n;
    bool product = false;
    for (uint64_t x = 1; x < 512; x++) product |= numbers[k] % x == 0 && numbers[k] / x < 512;
    make_product (&n, 9, numbers[k]);
    prove_by_bdd (&n, 0, &(prove_options){.budget = &small}, &r);
    assert_int_equal (r.answer, product ? PROVE_VIOLATED : PROVE_HOLDS);
    prove_result_release (&r);
    netlist_release (&n);
  }
}

static void time_ends (void **state) {
  (void) state;
  prove_result r;
  netlist n;
  budget b;
  make_product (&n, 20, 123456789);
  budget_start (&b, 1, 0);
  prove_by_bdd (&n, 0, &(prove_options){.budget = &b}, &r);
  assert_int_equal (r.answer, PROVE_UNKNOWN);
  assert_string_equal (r.why, "the time or the memory is spent");
  assert_true (budget_elapsed (&b) < TEST_PATIENCE);
  prove_result_release (&r);
  netlist_release (&n);
}

static void nodes_end (void **state) {
  (void) state;
  prove_result r;
  netlist n;
  budget b;
  make_product (&n, 20, 123456789);
  budget_start (&b, 60, 8 << 20);
  prove_by_bdd (&n, 0, &(prove_options){.budget = &b}, &r);
  assert_int_equal (r.answer, PROVE_UNKNOWN);
  assert_string_equal (r.why, "the decision diagrams have too many nodes");
  prove_result_release (&r);
  netlist_release (&n);
  make_ring (&n, 10, false);  // afterwards everything works again
  prove_by_bdd (&n, 0, &plain, &r);
  assert_int_equal (r.answer, PROVE_HOLDS);
  prove_result_release (&r);
  netlist_release (&n);
}

static void count_words (void *state, const char *text) { *(unsigned *) state += !strncmp (text, "step ", 5); }

static void progress_is_told (void **state) {
  (void) state;
  prove_result r;
  netlist n;
  unsigned lines = 0;
  make_ring (&n, 10, false);
  prove_by_bdd (&n, 0, &(prove_options){.budget = &no_limit, .say = count_words, .say_state = &lines}, &r);
  assert_int_equal (lines, 10);
  assert_true (r.bdd_nodes > 10);
  prove_result_release (&r);
  netlist_release (&n);
}

// Starts a proof in the middle of a proof: the library serves one at a time.
static void start_another (void *state, const char *text) {
  (void) text;
  prove_result r;
  netlist n;
  make_ring (&n, 3, false);
  prove_by_bdd (&n, 0, &plain, &r);
  assert_int_equal (r.answer, PROVE_UNKNOWN);
  *(const char **) state = r.why;
  prove_result_release (&r);
  netlist_release (&n);
}

static void one_proof_at_a_time (void **state) {
  (void) state;
  prove_result r;
  netlist n;
  const char *why = NULL;
  make_ring (&n, 3, false);
  prove_by_bdd (&n, 0, &(prove_options){.budget = &no_limit, .say = start_another, .say_state = &why}, &r);
  assert_int_equal (r.answer, PROVE_HOLDS);
  assert_string_equal (why, "decision diagrams are in use by another proof");
  prove_result_release (&r);
  netlist_release (&n);
}

TEST_MAIN (cmocka_unit_test (random_circuits_match_enumeration), cmocka_unit_test (rings_of_a_hundred_places),
           cmocka_unit_test (products_are_factored), cmocka_unit_test (time_ends), cmocka_unit_test (nodes_end),
           cmocka_unit_test (progress_is_told), cmocka_unit_test (one_proof_at_a_time))
