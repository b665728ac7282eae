// Damages certificates: the checker accepts exactly those that enumeration of all states finds to be good.
#include "netlist/random_netlist_test.h"
#include "prove/prove.h"

static const budget no_limit = {0};
static const prove_options plain = {.budget = &no_limit};

// ---- enumeration ------------------------------------------------------------------------------------

static bool graph_holds (const prove_certificate *c, unsigned state) {
  bool value[NAIVE_NODES] = {false};
  if (!c->graph.nodes.count) return true;
  for (uint32_t i = 1; i < c->graph.nodes.count; i++) {
    aig_node x = c->graph.nodes.data[i];
    if (aig_is_input (&c->graph, i)) value[i] = state >> x.right.i & 1;
    else value[i] = naive_literal (value, x.left) && naive_literal (value, x.right);
  }
  return naive_literal (value, c->holds);
}

static bool invariant_holds (const prove_certificate *c, unsigned state) {
  bool clause = false;
  for (uint32_t i = 0; i < c->clauses.count; i++) {
    int32_t literal = c->clauses.data[i];
    if (literal) clause |= literal > 0 ? state >> (literal - 1) & 1 : !(state >> (-literal - 1) & 1);
    else if (!clause) return false;
    else clause = false;
  }
  return graph_holds (c, state);
}

static bool is_good (const netlist *n, aig_lit bad, const prove_certificate *c, unsigned state) {
  return !naive_possible (n, state, aig_not (AIG_FALSE)) ||
         (invariant_holds (c, state) && !naive_possible (n, state, bad));
}

// Returns the states after a good step from one of these.
static uint64_t after_good_step (const netlist *n, aig_lit bad, const prove_certificate *c, uint64_t states) {
  bool value[NAIVE_NODES];
  uint64_t after = 0;
  for (unsigned s = 0; s < naive_num_states (n); s++)
    for (unsigned i = 0; (states >> s & 1) && invariant_holds (c, s) && i < naive_num_inputs (n); i++) {
      naive_evaluate (n, s, i, value);
      if (naive_allowed (n, value) && !naive_literal (value, bad)) after |= 1ull << naive_next (n, value);
    }
  return after;
}

// Is the certificate good, for paths that may have a state twice?
static bool naive_certificate (const netlist *n, const naive *w, aig_lit bad, const prove_certificate *c) {
  uint64_t states = ~0ull;
  for (uint32_t k = 0; k < c->depth; k++) states = after_good_step (n, bad, c, states);
  for (unsigned s = 0; s < naive_num_states (n); s++)
    if ((w->distance[s] < c->depth || (states >> s & 1)) && !is_good (n, bad, c, s)) return false;
  return true;
}

// ---- damage -----------------------------------------------------------------------------------------

typedef struct count {
  unsigned accepted, refused;
} count;

static void compare (const netlist *n, const naive *w, uint32_t bad, const prove_certificate *c, count *seen) {
  bool good = certificate_is_good (n, bad, c, &no_limit);
  assert_int_equal (good, naive_certificate (n, w, n->bads.data[bad].holds, c));
  if (good) seen->accepted++;
  else seen->refused++;
}

static void remove_clause_at (prove_certificate *c, uint32_t place) {
  uint32_t end = place;
  while (c->clauses.data[end]) end++;
  memmove (&c->clauses.data[place], &c->clauses.data[end + 1], (c->clauses.count - end - 1) * sizeof *c->clauses.data);
  c->clauses.count -= end + 1 - place;
}

static void copy_clauses (prove_certificate *to, const prove_certificate *from) {
  *to = (prove_certificate){.depth = from->depth, .simple = from->simple};
  for (uint32_t i = 0; i < from->clauses.count; i++) vec_push (&to->clauses, from->clauses.data[i]);
}

static void spoil_each_clause (const netlist *n, const naive *w, uint32_t bad, const prove_certificate *c,
                               count *seen) {
  for (uint32_t i = 0; i < c->clauses.count; i++) {
    prove_certificate spoilt;
    copy_clauses (&spoilt, c);
    if (!i || !c->clauses.data[i - 1]) {
      remove_clause_at (&spoilt, i);
      compare (n, w, bad, &spoilt, seen);
      vec_release (&spoilt.clauses);
      copy_clauses (&spoilt, c);
    }
    spoilt.clauses.data[i] = -spoilt.clauses.data[i];
    compare (n, w, bad, &spoilt, seen);
    vec_release (&spoilt.clauses);
  }
}

static void spoilt_invariants_are_refused (void **state) {
  (void) state;
  count seen = {0};
  for (uint64_t seed = 0; seed < 1500; seed++) {
    rng r = {seed};
    netlist n;
    naive w;
    prove_result p;
    random_netlist (&n, &r, random_small_shape (&r));
    naive_explore (&n, &w);
    prove_by_ic3 (&n, 0, &plain, &p);
    if (p.answer == PROVE_HOLDS) {
      compare (&n, &w, 0, &p.certificate, &seen);
      spoil_each_clause (&n, &w, 0, &p.certificate, &seen);
    }
    prove_result_release (&p);
    netlist_release (&n);
  }
  assert_true (seen.accepted > 200 && seen.refused > 200);
}

// ---- random certificates ----------------------------------------------------------------------------

static void random_certificate (const netlist *n, rng *r, prove_certificate *c) {
  *c = (prove_certificate){.depth = 1 + rng_below (r, 4)};
  for (unsigned k = rng_below (r, 3); k-- > 0;) {
    for (unsigned i = 1 + rng_below (r, 2); i-- > 0;)
      vec_push (&c->clauses, (int32_t) (1 + rng_below (r, n->latches.count)) * (rng_below (r, 2) ? 1 : -1));
    vec_push (&c->clauses, 0);
  }
  if (rng_below (r, 2)) return;
  aig_init (&c->graph);
  for (uint32_t i = 0; i < n->latches.count; i++) aig_input (&c->graph);
  aig_lit x = {2 + rng_below (r, 2 * n->latches.count)}, y = {2 + rng_below (r, 2 * n->latches.count)};
  c->holds = rng_below (r, 2) ? aig_or (&c->graph, x, y) : aig_xor (&c->graph, x, y);
}

static void random_certificates_match_enumeration (void **state) {
  (void) state;
  count seen = {0};
  for (uint64_t seed = 0; seed < 3000; seed++) {
    rng r = {seed};
    netlist n;
    naive w;
    prove_result p = {0};
    random_netlist (&n, &r, random_small_shape (&r));
    naive_explore (&n, &w);
    random_certificate (&n, &r, &p.certificate);
    compare (&n, &w, 0, &p.certificate, &seen);
    prove_result_release (&p);
    netlist_release (&n);
  }
  assert_true (seen.accepted > 50 && seen.refused > 500);
}

// ---- form -------------------------------------------------------------------------------------------

static void nonsense_is_refused (void **state) {
  (void) state;
  netlist n;
  netlist_init (&n);
  aig_lit latch = netlist_add_latch (&n, NET_ZERO, "stays");
  netlist_add_bad (&n, latch, "on");
  prove_result p = {.certificate = {.depth = 1}};
  prove_certificate *c = &p.certificate;
  vec_push (&c->clauses, -1);
  assert_false (certificate_is_good (&n, 0, c, &no_limit));  // a clause without end
  vec_push (&c->clauses, 0);
  assert_true (certificate_is_good (&n, 0, c, &no_limit));
  c->depth = 0;
  assert_false (certificate_is_good (&n, 0, c, &no_limit));
  c->depth = 1;
  c->clauses.data[0] = -2;
  assert_false (certificate_is_good (&n, 0, c, &no_limit));  // there is only one latch
  prove_result_release (&p);
  netlist_release (&n);
}

TEST_MAIN (cmocka_unit_test (spoilt_invariants_are_refused), cmocka_unit_test (random_certificates_match_enumeration),
           cmocka_unit_test (nonsense_is_refused))
