// Compares the query of the reduction, by decisions and by clauses, with truth tables; asks the same solvers many
// queries.
#include "base/test.h"
#include "encode/table_test.h"
#include "engine/boolean/independence_query.h"
#include "engine/boolean/selector_clauses.h"

static const budget no_limit = {0};

// Adds other selectors with constraints, which are not queried.
static sat_answer ask_by_clauses (selector_solver *u, const aig_lit *guard, uint32_t num_guard, const aig_lit *cases,
                                  uint32_t num_cases, bool *seen) {
  selector_open (u, guard, num_guard);
  selector_constrain (u, cases, num_cases / 2);
  selector s = selector_constrain (u, cases, num_cases);
  selector_constrain (u, guard, num_guard);
  return selector_ask (u, s, cases, num_cases, seen);
}

static void random_questions (void **state) {
  (void) state;
  rng r = {11};
  aig g;
  aig_lit x[TABLE_INPUTS], guard[3], cases[4];
  unsigned count[2] = {0};
  aig_init (&g);
  for (int i = 0; i < TABLE_INPUTS; i++) x[i] = aig_input (&g);
  independence_solver *by_decisions = independence_new (&g, &no_limit);
  selector_solver *by_clauses = selector_new (&g, &no_limit);
  for (int round = 0; round < 1000; round++) {
    uint32_t num_guard = rng_below (&r, 4), num_cases = rng_below (&r, 5);
    uint64_t good = UINT64_MAX, some = 0;
    for (uint32_t i = 0; i < num_guard; i++) {
      guard[i] = random_function (&r, &g, x, TABLE_INPUTS, 3);
      good &= table_of (&g, guard[i]);
    }
    for (uint32_t i = 0; i < num_cases; i++) {
      cases[i] = random_function (&r, &g, x, TABLE_INPUTS, 1 + rng_below (&r, 3));
      if (rng_below (&r, 3)) cases[i] = aig_and (&g, cases[i], random_function (&r, &g, x, TABLE_INPUTS, 4));
      some |= table_of (&g, cases[i]);
    }
    sat_answer expected = good & some ? SAT_YES : SAT_NO;
    for (int k = 0; k < 2; k++) {
      bool seen[4] = {false};
      sat_answer answer = k ? independence_ask (by_decisions, guard, num_guard, cases, num_cases, seen)
                            : ask_by_clauses (by_clauses, guard, num_guard, cases, num_cases, seen);
      assert_int_equal (answer, expected);
      uint64_t left = good;  // assignments in which all cases have the values that were seen
      bool any = false;
      for (uint32_t i = 0; i < num_cases; i++) {
        left &= seen[i] ? table_of (&g, cases[i]) : UINT64_MAX;
        any |= seen[i];
      }
      if (expected == SAT_YES) assert_true (any && left);
    }
    count[expected == SAT_YES]++;
  }
  assert_true (count[0] > 100 && count[1] > 100);
  selector_free (by_clauses);
  independence_free (by_decisions);
  aig_release (&g);
}

TEST_MAIN (cmocka_unit_test (random_questions))
