// Checks guards that grow, by tables and by the solver, against truth tables.
#include "base/test.h"
#include "encode/table_test.h"
#include "engine/boolean/feasible.h"

static const budget no_limit = {0};

static void random_guards (void **state) {
  (void) state;
  rng r = {5};
  aig g;
  aig_lit x[TABLE_INPUTS], guard[6];
  feasible f;
  unsigned count[2] = {0};
  aig_init (&g);
  for (int i = 0; i < TABLE_INPUTS; i++) x[i] = aig_input (&g);
  feasible_init (&f, &g, &no_limit);
  for (int round = 0; round < 2000; round++) {
    uint32_t known = 0, all;
    uint64_t old = UINT64_MAX, good;
    for (uint32_t tries = rng_below (&r, 8); tries && known < 4; tries--) {
      guard[known] = random_function (&r, &g, x, TABLE_INPUTS, 1 + rng_below (&r, 3));
      if (!(old & table_of (&g, guard[known]))) continue;  // the known conjuncts must be satisfiable
      old &= table_of (&g, guard[known++]);
    }
    good = old;
    for (all = known; all < known + rng_below (&r, 3); all++) {
      guard[all] = random_function (&r, &g, x, TABLE_INPUTS, 3);
      good &= table_of (&g, guard[all]);
    }
    aig_lit also = rng_below (&r, 3) ? random_function (&r, &g, x, TABLE_INPUTS, 3) : AIG_TRUE;
    good &= table_of (&g, also);
    sat_answer expected = good ? SAT_YES : SAT_NO;
    assert_int_equal (feasible_extend (&f, guard, known, all, also), expected);
    assert_int_equal (feasible_ask (&f, guard, all, also), expected);
    count[good != 0]++;
  }
  assert_true (count[0] > 100 && count[1] > 100);
  feasible_release (&f);
  aig_release (&g);
}

// With more choices than a table has room for, the solver answers.
static void many_choices (void **state) {
  (void) state;
  aig g;
  feasible f;
  aig_lit x[TRUTH_INPUTS + 3], sum = AIG_FALSE, guard[2];
  aig_init (&g);
  feasible_init (&f, &g, &no_limit);
  for (int i = 0; i < TRUTH_INPUTS + 3; i++) {
    x[i] = aig_input (&g);
    sum = aig_xor (&g, sum, x[i]);
  }
  guard[0] = sum, guard[1] = x[0];
  assert_int_equal (feasible_extend (&f, guard, 1, 2, x[1]), SAT_YES);
  assert_int_equal (feasible_extend (&f, guard, 1, 2, aig_not (sum)), SAT_NO);
  assert_int_equal (f.by_table, 0);
  guard[0] = aig_and (&g, x[2], x[3]);  // shares no choice with the others
  assert_int_equal (feasible_extend (&f, guard, 1, 2, aig_not (x[0])), SAT_NO);
  assert_int_equal (f.by_table, 1);
  feasible_release (&f);
  aig_release (&g);
}

TEST_MAIN (cmocka_unit_test (random_guards), cmocka_unit_test (many_choices))
