// Tests the back ends that work with a SAT solver, on small random circuits, against enumeration of all states:
// answers, paths, certificates.
#include "netlist/random_netlist_test.h"
#include "prove/prove.h"

enum { SEEDS = 3000 };
static const budget no_limit = {0};
static const prove_options plain = {.budget = &no_limit};

static void check_path (const netlist *n, aig_lit bad, const net_path *path) {
  bool value[NAIVE_NODES];
  unsigned state = 0;
  assert_int_equal (path->start.count, n->latches.count);
  assert_int_equal (path->inputs.count, path->length * n->inputs.count);
  assert_int_equal (path->loop, NET_NO_LOOP);
  assert_true (path->length > 0);
  for (uint32_t k = 0; k < n->latches.count; k++) state |= (unsigned) path->start.data[k] << k;
  assert_true (naive_is_reset (n, state));
  for (uint32_t step = 0; step < path->length; step++) {
    unsigned inputs = 0;
    for (uint32_t k = 0; k < n->inputs.count; k++)
      inputs |= (unsigned) path->inputs.data[step * n->inputs.count + k] << k;
    naive_evaluate (n, state, inputs, value);
    assert_true (naive_allowed (n, value));
    state = naive_next (n, value);
  }
  assert_true (naive_literal (value, bad));
}

// `shortest`: 0 if there is no path.
static void check_result (const netlist *n, uint32_t bad, unsigned shortest, const prove_result *r) {
  assert_int_equal (r->answer, shortest ? PROVE_VIOLATED : PROVE_HOLDS);
  if (shortest) {
    assert_int_equal (r->depth, r->path.length);
    assert_true (r->path.length >= shortest);
    check_path (n, n->bads.data[bad].holds, &r->path);
  } else assert_true (certificate_is_good (n, bad, &r->certificate, &no_limit));
}

static void check_ic3 (const netlist *n, uint32_t bad, unsigned shortest, uint64_t seed) {
  prove_options options = plain;
  prove_result r;
  options.seed = seed % 4;
  prove_by_ic3 (n, bad, &options, &r);
  check_result (n, bad, shortest, &r);
  prove_result_release (&r);
}

static void check_induction (const netlist *n, uint32_t bad, unsigned shortest) {
  prove_result r;
  prove_by_induction (n, bad, &plain, &r);
  check_result (n, bad, shortest, &r);
  if (shortest) assert_int_equal (r.path.length, shortest);
  else if (r.certificate.depth > 1) {
    r.certificate.depth--;
    assert_false (certificate_is_good (n, bad, &r.certificate, &no_limit));
  }
  prove_result_release (&r);
}

static void check_bmc (const netlist *n, uint32_t bad, unsigned shortest) {
  prove_options options = plain;
  prove_result r;
  options.max_depth = shortest ? shortest - 1 : 10;
  if (options.max_depth) {
    prove_by_bmc (n, bad, &options, &r);
    assert_int_equal (r.answer, PROVE_BOUNDED);
    assert_int_equal (r.depth, options.max_depth);
    assert_non_null (r.why);
    prove_result_release (&r);
  }
  if (!shortest) return;
  prove_by_bmc (n, bad, &plain, &r);
  check_result (n, bad, shortest, &r);
  assert_int_equal (r.path.length, shortest);
  prove_result_release (&r);
}

static void check_limit (const netlist *n, uint32_t bad, unsigned shortest) {
  static void (*const provers[]) (const netlist *, uint32_t, const prove_options *,
                                  prove_result *) = {prove_by_ic3, prove_by_induction};
  prove_options options = plain;
  prove_result r;
  options.max_depth = shortest - 1;
  for (unsigned i = 0; i < 2; i++) {
    provers[i](n, bad, &options, &r);
    if (r.answer == PROVE_VIOLATED) check_path (n, n->bads.data[bad].holds, &r.path);
    else {
      assert_int_equal (r.answer, PROVE_BOUNDED);
      assert_int_equal (r.depth, options.max_depth);
    }
    prove_result_release (&r);
  }
}

static void random_circuits_match_enumeration (void **state) {
  (void) state;
  unsigned violated = 0, held = 0, deep = 0;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    rng r = {seed};
    netlist n;
    naive w;
    random_netlist (&n, &r, random_small_shape (&r));
    naive_explore (&n, &w);
    for (uint32_t bad = 0; bad < n.bads.count; bad++) {
      unsigned shortest = naive_shortest (&n, &w, n.bads.data[bad].holds);
      check_ic3 (&n, bad, shortest, seed);
      check_induction (&n, bad, shortest);
      check_bmc (&n, bad, shortest);
      if (shortest > 1) check_limit (&n, bad, shortest);
      violated += shortest > 0, held += shortest == 0, deep += shortest > 3;
    }
    netlist_release (&n);
  }
  assert_true (violated > SEEDS / 4 && held > SEEDS / 4 && deep > SEEDS / 100);
}

TEST_MAIN (cmocka_unit_test (random_circuits_match_enumeration))
