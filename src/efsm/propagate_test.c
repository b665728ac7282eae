// Random machines behave as before, and known values reach their uses.
#include "efsm/propagate.h"

#include "efsm/efsm_test.h"

static void behaviour_stays (void **state) {
  (void) state;
  assert_keeps_behaviour (efsm_propagate, 400);
}

// a: x = 3; b: if (x == 3) c else d. If `shared`, another thread may have changed x.
static void branch_on_constant (bool shared, uint32_t exits) {
  efsm m;
  efsm_init (&m);
  uint32_t t = efsm_add_thread (&m);
  term three = term_const (&m.terms, 8, 3);
  uint32_t x = efsm_add_variable (&m, 8, shared ? IR_NONE : t, term_const (&m.terms, 8, 0), "x");
  uint32_t a = efsm_add_point (&m, t, "a"), b = efsm_add_point (&m, t, "b"), c = efsm_add_point (&m, t, "c"),
           d = efsm_add_point (&m, t, "d");
  m.threads.data[t].start = a;
  term is_three = term_eq (&m.terms, m.variables.data[x].now, three);
  efsm_set (&m, a, x, three);
  efsm_add_exit (&m, a, b, m.terms.truth);
  efsm_add_exit (&m, b, c, is_three);
  efsm_add_exit (&m, b, d, term_not (&m.terms, is_three));
  vec_push (&m.points.data[d].goals, ((efsm_goal){.property = IR_P_ASSERT, .condition = m.terms.truth}));
  efsm_propagate (&m);
  assert_int_equal (m.points.data[b].exits.count, exits);
  assert_int_equal (m.points.data[b].exits.data[0].to, c);
  assert_int_equal (m.points.data[d].goals.count, exits - 1);
  efsm_release (&m);
}

static void constants_close_exits (void **state) {
  (void) state;
  branch_on_constant (false, 1);
  branch_on_constant (true, 2);
}

TEST_MAIN (cmocka_unit_test (behaviour_stays), cmocka_unit_test (constants_close_exits))
