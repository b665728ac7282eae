// Translates sets of values to formulas and back, and compares with truth tables.
#include "base/test.h"
#include "encode/table_test.h"
#include "engine/boolean/parameters.h"

enum { VARS = 4, CHOICES = 5 };

// The new formulas have the same set of values; formulas with the same set are the same literals.
static void formulas_depend_on_the_set_only (void **state) {
  (void) state;
  rng r = {4};
  truth t = {0};
  aig g;
  aig_lit x[CHOICES], choice[VARS];
  struct {
    aig_lit value[VARS];
    bool known;
  } built[1 << 8] = {0};
  unsigned again = 0;
  aig_init (&g);
  for (int i = 0; i < CHOICES; i++) x[i] = aig_input (&g);
  for (int i = 0; i < VARS; i++) choice[i] = aig_input (&g);
  for (int round = 0; round < 3000; round++) {
    uint32_t n = 1 + rng_below (&r, 3), num_guard = rng_below (&r, 3);
    aig_lit value[VARS], guard[2];
    parameter_values set, again_set;
    for (uint32_t i = 0; i < n; i++) value[i] = random_function (&r, &g, x, CHOICES, 2);
    for (uint32_t i = 0; i < num_guard; i++) guard[i] = random_function (&r, &g, x, CHOICES, 3);
    assert_true (parameters_find (&t, &g, value, n, guard, num_guard, &set));
    if (!set.word[0]) continue;
    parameters_build (&g, &set, n, choice, value);
    assert_true (parameters_find (&t, &g, value, n, NULL, 0, &again_set));
    assert_memory_equal (&set, &again_set, sizeof set);
    if (n < 3) continue;
    assert_true (set.word[0] < 256);
    if (built[set.word[0]].known) {
      again++;
      for (uint32_t i = 0; i < n; i++) assert_int_equal (built[set.word[0]].value[i].i, value[i].i);
    }
    for (uint32_t i = 0; i < n; i++) built[set.word[0]].value[i] = value[i];
    built[set.word[0]].known = true;
  }
  assert_true (again > 100);
  truth_release (&t);
  aig_release (&g);
}

static void free_variables_are_choices (void **state) {
  (void) state;
  truth t = {0};
  aig g;
  aig_lit x[3], choice[3], value[3];
  parameter_values set;
  aig_init (&g);
  for (int i = 0; i < 3; i++) x[i] = aig_input (&g);
  for (int i = 0; i < 3; i++) choice[i] = aig_input (&g);
  value[0] = aig_xor (&g, x[0], x[1]), value[1] = aig_not (x[1]), value[2] = aig_xor (&g, x[0], x[2]);
  assert_true (parameters_find (&t, &g, value, 3, NULL, 0, &set));
  parameters_build (&g, &set, 3, choice, value);
  for (int i = 0; i < 3; i++) assert_int_equal (value[i].i, choice[i].i);
  truth_release (&t);
  aig_release (&g);
}

static void large_groups_are_left (void **state) {
  (void) state;
  truth t = {0};
  aig g;
  aig_lit x[16];
  parameter_values set;
  aig_init (&g);
  for (int i = 0; i < 16; i++) x[i] = aig_input (&g);
  assert_false (parameters_find (&t, &g, x, 13, NULL, 0, &set));
  assert_false (parameters_find (&t, &g, x, 1, x, 16, &set));
  assert_true (parameters_find (&t, &g, x, 12, x, 15, &set));
  assert_int_equal (set.word[63], (uint64_t) 1 << 63);
  truth_release (&t);
  aig_release (&g);
}

TEST_MAIN (cmocka_unit_test (formulas_depend_on_the_set_only), cmocka_unit_test (free_variables_are_choices),
           cmocka_unit_test (large_groups_are_left))
