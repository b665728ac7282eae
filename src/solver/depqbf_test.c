// DepQBF says what formulas of two variables are.
#include "base/test.h"
#include "solver/depqbf.h"

static const budget no_limit = {0};

static sat_answer solve (int universal, int existential, const int *clauses, uint32_t count) {
  quantified_clauses f = {0};
  if (universal) vec_push (&f.universals, universal);
  if (existential) vec_push (&f.existentials, existential);
  for (uint32_t i = 0; i < count; i++) vec_push (&f.clauses, clauses[i]);
  sat_answer a = depqbf_solve (&f, &no_limit);
  vec_release (&f.universals);
  vec_release (&f.existentials);
  vec_release (&f.clauses);
  return a;
}

static void answers (void **state) {
  (void) state;
  const int equal[] = {1, -2, 0, -1, 2, 0}, either[] = {1, 2, 0}, unit[] = {2, 0, -2, 0};
  assert_int_equal (solve (1, 2, equal, 6), SAT_YES);  // for all x there is a y = x
  assert_int_equal (solve (0, 2, unit, 4), SAT_NO);
  assert_int_equal (solve (1, 2, either, 3), SAT_YES);
  assert_int_equal (solve (1, 0, (int[]){1, 0}, 2), SAT_NO);
}

static void spent_budget (void **state) {
  (void) state;
  quantified_clauses f = {0};
  budget spent = {.start = budget_now () - 10, .seconds = 1};
  assert_int_equal (depqbf_solve (&f, &spent), SAT_STOPPED);
}

TEST_MAIN (cmocka_unit_test (answers), cmocka_unit_test (spent_budget))
