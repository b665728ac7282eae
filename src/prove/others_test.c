// Tests back ends in other processes, on small random circuits, against enumeration of all states: the race, and ABC if
// it is installed.
#include <stdlib.h>

#include "netlist/random_netlist_test.h"
#include "netlist/netlist_simulate.h"
#include "prove/prove.h"

enum { RACES = 60, QUESTIONS = 12 };
static const budget no_limit = {0};

typedef void prover (const netlist *, uint32_t bad, const prove_options *, prove_result *);

static void check (prover *prove, const netlist *n, const naive *w, uint32_t jobs) {
  unsigned shortest = naive_shortest (n, w, n->bads.data[n->bads.count - 1].holds);
  uint32_t bad = n->bads.count - 1;
  prove_result r;
  prove (n, bad, &(prove_options){.budget = &no_limit, .jobs = jobs}, &r);
  assert_int_equal (r.answer, shortest ? PROVE_VIOLATED : PROVE_HOLDS);
  if (shortest) assert_true (net_path_shows (n, bad, &r.path) && r.path.length >= shortest);
  else assert_true (certificate_is_good (n, bad, &r.certificate, &no_limit));
  prove_result_release (&r);
}

static void check_many (prover *prove, uint64_t first, unsigned count) {
  unsigned violated = 0;
  for (uint64_t seed = first; seed < first + count; seed++) {
    rng r = {seed};
    netlist n;
    naive w;
    random_netlist (&n, &r, random_small_shape (&r));
    naive_explore (&n, &w);
    violated += naive_shortest (&n, &w, n.bads.data[n.bads.count - 1].holds) > 0;
    check (prove, &n, &w, 1 + (uint32_t) seed % 6);
    netlist_release (&n);
  }
  assert_true (violated > count / 5 && violated < count);
}

static void the_first_answer_counts (void **state) {
  (void) state;
  check_many (prove_by_race, 1, RACES);
}

static void abc_answers_are_checked (void **state) {
  (void) state;
  if (!prove_abc_is_there ()) skip ();
  check_many (prove_by_abc, 100, QUESTIONS);
}

// A counter of 40 bits that is bad when all bits are one: no back end reaches that state or excludes it in time.
static void a_race_ends_with_its_time (void **state) {
  (void) state;
  netlist n;
  netlist_init (&n);
  aig_lit carry = AIG_TRUE, all = AIG_TRUE;
  for (unsigned k = 0; k < 40; k++) netlist_add_latch (&n, NET_ZERO, NULL);
  for (unsigned k = 0; k < 40; k++) {
    aig_lit now = n.latches.data[k].now;
    netlist_set_next (&n, k, aig_xor (&n.graph, now, carry));
    carry = aig_and (&n.graph, carry, now);
    all = aig_and (&n.graph, all, now);
  }
  netlist_add_bad (&n, all, NULL);
  budget short_time;
  budget_start (&short_time, 0.3, 0);
  prove_result r;
  prove_by_race (&n, 0, &(prove_options){.budget = &short_time, .jobs = 2}, &r);
  assert_true (budget_elapsed (&short_time) < TEST_PATIENCE);
  assert_true (r.answer == PROVE_BOUNDED || r.answer == PROVE_UNKNOWN);
  prove_result_release (&r);
  netlist_release (&n);
}

// Without ABC the answer is "unknown".
static void without_abc_nothing_is_known (void **state) {
  (void) state;
  char *path = strdup (getenv ("PATH"));
  netlist n;
  prove_result r;
  netlist_init (&n);
  netlist_add_bad (&n, AIG_FALSE, NULL);
  setenv ("PATH", "/nowhere", 1);
  assert_false (prove_abc_is_there ());
  prove_by_abc (&n, 0, &(prove_options){.budget = &no_limit}, &r);
  assert_int_equal (r.answer, PROVE_UNKNOWN);
  assert_string_equal (r.why, "berkeley-abc is not installed");
  setenv ("PATH", path, 1);
  prove_result_release (&r);
  netlist_release (&n);
  free (path);
}

TEST_MAIN (cmocka_unit_test (the_first_answer_counts), cmocka_unit_test (abc_answers_are_checked),
           cmocka_unit_test (a_race_ends_with_its_time), cmocka_unit_test (without_abc_nothing_is_known))
