// Tests justice properties: each method against enumeration of all states of small random circuits (fair cycles in
// strongly connected components), and typical circuits.
//
// LIVE_SEEDS in the environment: number of random circuits (see the end).
#include <stdlib.h>

#include "netlist/random_netlist_test.h"
#include "netlist/netlist_simulate.h"
#include "prove/prove_live.h"

enum { SEEDS = 800, ENOUGH = 66 /* ticks: more than a small circuit has states */ };
static const budget no_limit = {0};
static const prove_options plain = {.budget = &no_limit};
static const live_proof by_descent = {.method = LIVE_BY_DESCENT};

static random_shape random_live_shape (rng *r) {
  random_shape shape = random_small_shape (r);
  shape.bads = 0;
  shape.justice = 1 + rng_below (r, 2);
  shape.fairness = rng_below (r, 3);
  return shape;
}

// ---- each method ------------------------------------------------------------------------------------

// Checks that no method proves a violated property.
static void check_no_proof (const netlist *n, uint32_t justice) {
  prove_certificate empty = {.depth = 1};
  for (uint32_t count = 1; count < 4; count++)
    assert_false (live_proof_is_good (n, justice, (live_proof){LIVE_BY_COUNTING, count}, &empty, &no_limit));
  assert_false (live_proof_is_good (n, justice, (live_proof){.method = LIVE_BY_SAFETY}, &empty, &no_limit));
  assert_false (live_proof_is_good (n, justice, by_descent, &empty, &no_limit));
}

static void check_result (const netlist *n, uint32_t justice, bool violated, live_proof how, prove_result *r) {
  assert_int_equal (r->answer, violated ? PROVE_VIOLATED : PROVE_HOLDS);
  if (!violated) assert_true (live_proof_is_good (n, justice, how, &r->certificate, &no_limit));
  else {
    assert_int_equal (r->depth, r->path.length);
    assert_true (net_path_shows_justice (n, justice, &r->path));
  }
}

static void check_safety (const netlist *n, uint32_t justice, bool violated, live_prover *prove) {
  prove_result r;
  prove_live_by_safety (n, justice, prove, &plain, &r);
  check_result (n, justice, violated, (live_proof){.method = LIVE_BY_SAFETY}, &r);
  prove_result_release (&r);
}

static void check_diagrams (const netlist *n, uint32_t justice, bool violated) {
  prove_result r;
  live_proof how;
  prove_live_by (n, justice, prove_by_bdd, &plain, &r, &how);
  assert_int_equal (how.method, LIVE_BY_DESCENT);
  check_result (n, justice, violated, how, &r);
  prove_result_release (&r);
}

// ---- damaged proofs by descent ----------------------------------------------------------------------

static uint64_t naive_states_of (const netlist *n, const prove_certificate *c, aig_lit x) {
  uint64_t states = 0;
  bool value[NAIVE_NODES] = {0};
  assert_true (c->graph.nodes.count <= NAIVE_NODES);
  for (unsigned s = 0; s < naive_num_states (n); s++) {
    for (uint32_t i = 1; i < c->graph.nodes.count; i++) {
      aig_node node = c->graph.nodes.data[i];
      value[i] = aig_is_input (&c->graph, i) ? s >> node.right.i & 1
                                             : naive_literal (value, node.left) & naive_literal (value, node.right);
    }
    states |= (uint64_t) naive_literal (value, x) << s;
  }
  return states;
}

// Does every step from the block lead into an earlier one, or into the block itself if the condition is false?
static bool naive_descends (const netlist *n, uint64_t block, uint64_t before, aig_lit condition) {
  bool value[NAIVE_NODES];
  for (unsigned s = 0; s < naive_num_states (n); s++)
    for (unsigned i = 0; (block >> s & 1) && i < naive_num_inputs (n); i++) {
      naive_evaluate (n, s, i, value);
      uint64_t into = naive_literal (value, condition) ? before : before | block;
      if (naive_allowed (n, value) && !(into >> naive_next (n, value) & 1)) return false;
    }
  return true;
}

static bool naive_proves (const netlist *n, uint32_t justice, const prove_certificate *c) {
  uint64_t before = 0;
  for (uint32_t k = 0; k < c->blocks.count; k++) {
    uint64_t block = naive_states_of (n, c, c->blocks.data[k].states);
    if (!naive_descends (n, block, before, live_condition (n, justice, c->blocks.data[k].condition))) return false;
    before |= block;
  }
  for (unsigned s = 0; s < naive_num_states (n); s++)
    if (naive_is_reset (n, s) && naive_possible (n, s, AIG_TRUE) && !(before >> s & 1)) return false;
  return true;
}

static void tamper (const netlist *n, uint32_t justice, rng *r, prove_certificate *c) {
  uint32_t last = c->blocks.count - 1;
  prove_block *some = &c->blocks.data[rng_below (r, c->blocks.count)], *other = &c->blocks.data[last], old = *some;
  switch (rng_below (r, 5)) {
  case 0: some->condition = rng_below (r, live_num_conditions (n, justice) + 1); break;
  case 1: some->states = aig_not (some->states); break;
  case 2: some->states = rng_below (r, 2) ? AIG_TRUE : AIG_FALSE; break;
  case 3: *some = *other, c->blocks.count--; break;
  default: *some = *other, *other = old; break;
  }
}

// Checks that the checker agrees with enumeration. Returns true if the certificate is refused.
static bool check_tampered (const netlist *n, uint32_t justice, rng *r, prove_certificate *c) {
  tamper (n, justice, r, c);
  bool good = naive_proves (n, justice, c);
  assert_true (live_proof_is_good (n, justice, by_descent, c, &no_limit) == good);
  return !good;
}

static void tampered_proofs_are_refused (void **state) {
  (void) state;
  unsigned refused = 0, accepted = 0;
  for (uint64_t seed = 0; seed < 300; seed++) {
    rng random = {seed};
    netlist n;
    random_netlist (&n, &random, random_live_shape (&random));
    for (uint32_t k = 0; k < n.justice.count; k++) {
      prove_result r;
      prove_live_by_bdd (&n, k, &plain, &r);
      if (r.answer == PROVE_HOLDS) assert_true (naive_proves (&n, k, &r.certificate));
      for (unsigned times = 0; times < 3 && r.certificate.blocks.count; times++)
        if (check_tampered (&n, k, &random, &r.certificate)) refused++;
        else accepted++;
      prove_result_release (&r);
    }
    netlist_release (&n);
  }
  assert_true (refused > 200 && accepted > 50);
}

static void unfitting_blocks_are_refused (void **state) {
  (void) state;
  netlist n;
  prove_certificate c = {0};
  netlist_init (&n);
  netlist_add_latch (&n, NET_ZERO, NULL);
  net_justice *j = netlist_add_justice (&n, "is one again and again");
  vec_push (&j->conditions, n.latches.data[0].now);
  aig_init (&c.graph);
  aig_lit one = aig_input (&c.graph);
  vec_push (&c.blocks, ((prove_block){aig_not (one), 0}));
  assert_true (live_proof_is_good (&n, 0, by_descent, &c, &no_limit));
  c.blocks.data[0].condition = 2;  // there is one condition, and the one that is true everywhere
  assert_false (live_proof_is_good (&n, 0, by_descent, &c, &no_limit));
  c.blocks.data[0] = (prove_block){{one.i + 2}, 0};
  assert_false (live_proof_is_good (&n, 0, by_descent, &c, &no_limit));
  c.blocks.data[0] = (prove_block){aig_not (one), 0};
  aig_input (&c.graph);  // belongs to a circuit with two latches
  assert_false (live_proof_is_good (&n, 0, by_descent, &c, &no_limit));
  vec_release (&c.blocks);
  aig_release (&c.graph);
  netlist_release (&n);
}

// ---- the others -------------------------------------------------------------------------------------

static void check_counting (const netlist *n, uint32_t justice, bool violated) {
  prove_result r;
  live_proof how = {.method = LIVE_BY_COUNTING};
  prove_live_by_counting (n, justice, violated ? 8 : ENOUGH, &plain, &r, &how.count);
  assert_int_equal (r.answer, violated ? PROVE_UNKNOWN : PROVE_HOLDS);
  if (violated) assert_true (r.why && how.count == 8);
  else {
    assert_true (live_proof_is_good (n, justice, how, &r.certificate, &no_limit));
    if (how.count > 1) {  // a smaller count is not proved by the same certificate
      how.count--;
      assert_false (live_proof_is_good (n, justice, how, &r.certificate, &no_limit));
    }
  }
  prove_result_release (&r);
}

// Checks the shortest lasso by bounded model checking: no lasso has fewer steps.
static void check_lassos (const netlist *n, uint32_t justice, bool violated) {
  prove_options o = plain;
  prove_result r;
  o.max_depth = violated ? 0 : 6;
  prove_live_by_safety (n, justice, prove_by_bmc, &o, &r);
  if (!violated) {
    assert_int_equal (r.answer, PROVE_BOUNDED);
    assert_int_equal (r.depth, 6);
  } else check_result (n, justice, true, (live_proof){0}, &r);
  o.max_depth = r.path.length - 1;
  prove_result_release (&r);
  if (!violated || !o.max_depth) return;
  prove_live_by_safety (n, justice, prove_by_bmc, &o, &r);
  assert_int_equal (r.answer, PROVE_BOUNDED);
  assert_int_equal (r.depth, o.max_depth);
  prove_result_release (&r);
}

static void check_all_ways (const netlist *n, uint32_t justice, bool violated) {
  prove_result r;
  live_proof how;
  prove_live (n, justice, &plain, &r, &how);
  check_result (n, justice, violated, how, &r);
  prove_result_release (&r);
}

static uint64_t number_of_seeds (void) {
  const char *text = getenv ("LIVE_SEEDS");
  return text ? strtoull (text, NULL, 10) : SEEDS;
}

static void random_circuits_match_enumeration (void **state) {
  (void) state;
  uint64_t violated = 0, held = 0, seeds = number_of_seeds ();
  for (uint64_t seed = 0; seed < seeds; seed++) {
    rng r = {seed};
    netlist n;
    naive w;
    random_netlist (&n, &r, random_live_shape (&r));
    naive_explore (&n, &w);
    for (uint32_t k = 0; k < n.justice.count; k++) {
      bool is = naive_justice_violated (&n, &w, &n.justice.data[k]);
      check_safety (&n, k, is, prove_by_ic3);
      if (seed % 8 == 0) check_safety (&n, k, is, prove_by_bdd);
      check_diagrams (&n, k, is);
      check_counting (&n, k, is);
      check_lassos (&n, k, is);
      check_all_ways (&n, k, is);
      if (is) check_no_proof (&n, k);
      violated += is, held += !is;
    }
    netlist_release (&n);
  }
  if (seeds != SEEDS)
    print_message ("%llu violated, %llu held\n", (unsigned long long) violated, (unsigned long long) held);
  assert_true (violated > seeds / 4 && held > seeds / 4);
}

// ---- circuits ---------------------------------------------------------------------------------------

// Stations pass the token on in turn when an input says so. Fair: every station passes it on eventually. Violated:
// station 1 does not get it.
static void init_ring (netlist *n, unsigned stations, bool fair) {
  aig *g = &n->graph;
  aig_lit token[16], gives[16];
  netlist_init (n);
  for (unsigned k = 0; k < stations; k++) token[k] = netlist_add_latch (n, k ? NET_ZERO : NET_ONE, NULL);
  for (unsigned k = 0; k < stations; k++) gives[k] = aig_and (g, token[k], netlist_add_input (n, "give"));
  for (unsigned k = 0; k < stations; k++)
    netlist_set_next (n, k,
                      aig_or (g, aig_and (g, token[k], aig_not (gives[k])), gives[(k + stations - 1) % stations]));
  for (unsigned k = 0; k < stations && fair; k++)
    netlist_add_fairness (n, aig_or (g, aig_not (token[k]), gives[k]), "gives it on");
  uint32_t waits = n->latches.count;  // from some step on, for good
  aig_lit waiting = netlist_add_latch (n, NET_ZERO, "waits"), wait = netlist_add_input (n, "wait");
  netlist_set_next (n, waits, aig_or (g, waiting, wait));
  netlist_add_constraint (n, aig_not (aig_and (g, waiting, token[1])), "in vain");
  net_justice *j = netlist_add_justice (n, "waits in vain");
  vec_push (&j->conditions, waiting);
}

static void token_ring (void **state) {
  (void) state;
  for (unsigned stations = 2; stations <= 10; stations += 2) {
    netlist n;
    init_ring (&n, stations, true);
    check_all_ways (&n, 0, false);
    check_diagrams (&n, 0, false);
    check_counting (&n, 0, false);
    netlist_release (&n);
    init_ring (&n, stations, false);
    check_all_ways (&n, 0, true);
    check_diagrams (&n, 0, true);
    netlist_release (&n);
  }
}

// A counter that goes to its end and stays there, from any start: its lowest bit is not 0 for ever.
static void counter_that_stops (void **state) {
  (void) state;
  enum { WIDTH = 5 };
  netlist n;
  netlist_init (&n);
  aig_lit bit[WIDTH], full = AIG_TRUE, carry;
  for (unsigned k = 0; k < WIDTH; k++) {
    bit[k] = netlist_add_latch (&n, NET_ANY, NULL);
    full = aig_and (&n.graph, full, bit[k]);
  }
  carry = aig_not (full);
  for (unsigned k = 0; k < WIDTH; k++) {
    netlist_set_next (&n, k, aig_xor (&n.graph, bit[k], carry));
    carry = aig_and (&n.graph, carry, bit[k]);
  }
  net_justice *j = netlist_add_justice (&n, "is even again and again");
  vec_push (&j->conditions, aig_not (bit[0]));
  j = netlist_add_justice (&n, "is odd again and again");
  vec_push (&j->conditions, bit[0]);
  check_all_ways (&n, 0, false);
  check_counting (&n, 0, false);  // it is even sixteen times
  check_all_ways (&n, 1, true);
  check_diagrams (&n, 0, false);
  check_diagrams (&n, 1, true);
  netlist_release (&n);
}

// Every path ends when the counter is full.
static void paths_that_end (void **state) {
  (void) state;
  netlist n;
  uint32_t length;
  prove_result r;
  netlist_init (&n);
  aig_lit carry = AIG_TRUE, bit, full = AIG_TRUE;
  for (unsigned k = 0; k < 4; k++) {
    bit = netlist_add_latch (&n, NET_ZERO, NULL);
    netlist_set_next (&n, k, aig_xor (&n.graph, bit, carry));
    carry = aig_and (&n.graph, carry, bit);
    full = aig_and (&n.graph, full, bit);
  }
  netlist_add_constraint (&n, aig_not (full), "not full");
  netlist_add_justice (&n, "goes on");
  prove_live_by_length (&n, &plain, &r, &length);
  assert_int_equal (r.answer, PROVE_HOLDS);
  assert_int_equal (length, 16);
  assert_true (live_proof_is_good (&n, 0, (live_proof){LIVE_BY_LENGTH, 16}, &r.certificate, &no_limit));
  assert_false (live_proof_is_good (&n, 0, (live_proof){LIVE_BY_LENGTH, 15}, &r.certificate, &no_limit));
  assert_false (live_proof_is_good (&n, 0, (live_proof){LIVE_BY_LENGTH, 0}, &r.certificate, &no_limit));
  prove_result_release (&r);
  check_all_ways (&n, 0, false);
  check_diagrams (&n, 0, false);
  netlist_release (&n);
}

static void budgets_end_it (void **state) {
  (void) state;
  netlist n;
  budget b;
  prove_result r;
  live_proof how;
  netlist_init (&n);
  aig_lit carry = AIG_TRUE, bit;
  for (unsigned k = 0; k < 40; k++) {  // the first lasso has 2^40 steps
    bit = netlist_add_latch (&n, NET_ZERO, NULL);
    netlist_set_next (&n, k, aig_xor (&n.graph, bit, carry));
    carry = aig_and (&n.graph, carry, bit);
  }
  netlist_add_justice (&n, "goes on");
  budget_start (&b, 0.5, 0);
  prove_live (&n, 0, &(prove_options){.budget = &b}, &r, &how);
  assert_true (budget_elapsed (&b) < TEST_PATIENCE);
  assert_int_equal (r.answer, PROVE_BOUNDED);
  assert_true (r.why && r.depth > 1);
  prove_result_release (&r);
  budget_start (&b, 0.1, 0);
  prove_live_by_bdd (&n, 0, &(prove_options){.budget = &b}, &r);
  assert_int_equal (r.answer, PROVE_UNKNOWN);
  assert_non_null (r.why);
  prove_result_release (&r);
  netlist_release (&n);
}

TEST_MAIN (cmocka_unit_test (random_circuits_match_enumeration), cmocka_unit_test (tampered_proofs_are_refused),
           cmocka_unit_test (unfitting_blocks_are_refused), cmocka_unit_test (token_ring),
           cmocka_unit_test (counter_that_stops), cmocka_unit_test (paths_that_end), cmocka_unit_test (budgets_end_it))
