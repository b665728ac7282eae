// Bits are named by their position in the variable of the program. A circuit that is written as AIGER and read again
// has the same names and behaves the same.
#include "engine/circuit/circuit_names.h"

#include "efsm/narrow.h"
#include "engine/circuit/circuit_lower.h"
#include "engine/circuit/random_system_test.h"
#include "netlist/aiger.h"
#include "netlist/netlist_simulate.h"

enum { SYSTEMS = 60, STEPS = 4 };

// The fixture has an owner that is 0, 7 or 9; an owner of which only bit 2 changes; one with any initial value; and a
// program counter.
static void narrow_bits_keep_their_places (void **state) {
  (void) state;
  efsm m;
  transition_system s;
  naming n;
  efsm_init (&m);
  uint32_t t = efsm_add_thread (&m), a = efsm_add_point (&m, t, "a");
  m.threads.data[t] =
      (efsm_thread){a, IR_NONE, IR_NONE, IR_NONE, IR_NONE, {IR_NONE, IR_NONE}, "main", IR_NONE, {IR_NONE}};
  m.over = IR_NONE;
  m.points.data[a].opens = true;
  term zero = term_const (&m.terms, 32, 0), flag = term_var (&m.terms, 1);
  vec_push (&m.inputs, ((efsm_input){flag, "main chooses"}));
  uint32_t owner = efsm_add_variable (&m, 32, IR_NONE, zero, "m.owner"),
           four = efsm_add_variable (&m, 32, t, zero, "four"), any = efsm_add_variable (&m, 32, t, TERM_NONE, "any");
  efsm_set (&m, a, owner, term_ite (&m.terms, flag, term_const (&m.terms, 32, 7), term_const (&m.terms, 32, 9)));
  efsm_set (&m, a, four,
            term_apply (&m.terms, IR_X_OR, 32, m.variables.data[four].now, term_const (&m.terms, 32, 4), TERM_NONE));
  efsm_add_exit (&m, a, a, m.terms.truth);
  efsm_narrow (&m);
  system_init (&s, &m, NULL, 1 << IR_P_ASSERT);
  naming_init (&n, &s);
  assert_string_equal (name_of_bit (&n, s.state_of.data[owner], 1), "m.owner number[1]");
  assert_string_equal (name_of_bit (&n, s.state_of.data[four], 0), "four[2]");
  assert_string_equal (name_of_bit (&n, s.state_of.data[any], 31), "any[31]");
  assert_string_equal (name_of_bit (&n, s.pc.data[t], 0), "main pc[0]");
  assert_string_equal (name_of_input (&n, s.scheduled), "scheduler");
  assert_string_equal (name_of_input (&n, flag), "main chooses");
  assert_true (state_is_number (&n, s.state_of.data[owner]) && !state_is_number (&n, s.state_of.data[four]));
  ir_value owners = 0;  // whatever the numbers are
  for (ir_value k = 0; k < 3; k++) owners |= (ir_value) 1 << state_meaning (&n, s.state_of.data[owner], k);
  assert_true (owners == (1 | 1 << 7 | 1 << 9));
  assert_true (state_meaning (&n, s.state_of.data[four], 1) == 4);
  naming_release (&n);
  system_release (&s);
  efsm_release (&m);
}

static void assert_same_names (const netlist *a, const netlist *b) {
  assert_int_equal (a->latches.count, b->latches.count);
  assert_int_equal (a->inputs.count, b->inputs.count);
  assert_int_equal (a->bads.count, b->bads.count);
  for (uint32_t k = 0; k < a->latches.count; k++) {
    assert_string_equal (a->latches.data[k].name, b->latches.data[k].name);
    assert_int_equal (a->latches.data[k].reset, b->latches.data[k].reset);
  }
  for (uint32_t k = 0; k < a->inputs.count; k++) assert_string_equal (a->inputs.data[k].name, b->inputs.data[k].name);
  for (uint32_t k = 0; k < a->bads.count; k++) assert_string_equal (a->bads.data[k].name, b->bads.data[k].name);
}

static void assert_same_behaviour (const netlist *a, const netlist *b, uint64_t seed) {
  net_simulation x, y;
  rng one = {seed}, other = {seed};
  net_simulation_init (&x, a);
  net_simulation_init (&y, b);
  net_reset_latches (&x, &one);
  net_reset_latches (&y, &other);
  for (unsigned t = 0; t < STEPS; t++) {
    net_random_inputs (&x, &one);
    net_random_inputs (&y, &other);
    net_evaluate (&x);
    net_evaluate (&y);
    assert_true (net_constraints_hold (&x) == net_constraints_hold (&y));
    for (uint32_t k = 0; k < a->bads.count; k++)
      assert_true (net_value (&x, a->bads.data[k].holds) == net_value (&y, b->bads.data[k].holds));
    net_step (&x);
    net_step (&y);
    for (uint32_t k = 0; k < a->latches.count; k++)
      assert_true (net_value (&x, a->latches.data[k].now) == net_value (&y, b->latches.data[k].now));
  }
  net_simulation_release (&x);
  net_simulation_release (&y);
}

static void a_file_is_the_same_circuit (void **state) {
  (void) state;
  rng r = {23};
  for (unsigned k = 0; k < SYSTEMS; k++) {
    efsm m;
    transition_system s;
    lowered l;
    netlist read;
    strbuf bytes = {0}, why = {0};
    random_system (&s, &m, &r);
    lower_by_property (&s, RANDOM_PROPERTIES, &l);
    aiger_print (&l.circuit, k % 2 ? AIGER_ASCII : AIGER_BINARY, "from a test", &bytes);
    assert_true (aiger_parse (&read, bytes.data, bytes.count, &why));
    assert_same_names (&l.circuit, &read);
    assert_same_behaviour (&l.circuit, &read, k + 1);
    netlist_release (&read);
    lowered_release (&l);
    system_release (&s);
    efsm_release (&m);
    strbuf_release (&bytes);
    strbuf_release (&why);
  }
}

TEST_MAIN (cmocka_unit_test (narrow_bits_keep_their_places), cmocka_unit_test (a_file_is_the_same_circuit))
