// Random machines behave as before, and variables become narrower.
#include "efsm/narrow.h"

#include "efsm/efsm_test.h"
#include "efsm/propagate.h"

static void behaviour_stays (void **state) {
  (void) state;
  assert_keeps_behaviour (efsm_narrow, 400);
}

static void both_passes (efsm *m) {
  efsm_propagate (m);
  efsm_narrow (m);
}

static void behaviour_stays_after_both (void **state) {
  (void) state;
  assert_keeps_behaviour (both_passes, 400);
}

// An owner that is 0, 7 or 9, a variable whose bit 2 is set at some time, one that never changes, and one with any
// initial value.
static void few_values_need_few_bits (void **state) {
  (void) state;
  efsm m;
  efsm_init (&m);
  uint32_t t = efsm_add_thread (&m), a = efsm_add_point (&m, t, "a");
  m.threads.data[t].start = a;
  term zero = term_const (&m.terms, 32, 0), flag = term_var (&m.terms, 1);
  uint32_t owner = efsm_add_variable (&m, 32, IR_NONE, zero, "owner"),
           four = efsm_add_variable (&m, 32, t, zero, "four");
  uint32_t fixed = efsm_add_variable (&m, 32, t, zero, "fixed"), any = efsm_add_variable (&m, 32, t, TERM_NONE, "any");
  efsm_set (&m, a, owner, term_ite (&m.terms, flag, term_const (&m.terms, 32, 7), term_const (&m.terms, 32, 9)));
  efsm_set (&m, a, four,
            term_apply (&m.terms, IR_X_OR, 32, m.variables.data[four].now, term_const (&m.terms, 32, 4), TERM_NONE));
  efsm_add_exit (&m, a, a, term_eq (&m.terms, m.variables.data[fixed].now, zero));
  efsm_narrow (&m);
  assert_int_equal (term_bits (&m.terms, m.variables.data[owner].now), 2);
  assert_int_equal (term_bits (&m.terms, m.variables.data[four].now), 1);
  assert_int_equal (term_bits (&m.terms, m.variables.data[any].now), 32);
  assert_true (term_is_true (&m.terms, m.points.data[a].exits.data[0].guard));
  efsm_release (&m);
}

TEST_MAIN (cmocka_unit_test (behaviour_stays), cmocka_unit_test (behaviour_stays_after_both),
           cmocka_unit_test (few_values_need_few_bits))
