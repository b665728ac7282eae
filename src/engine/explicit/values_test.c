// The values on which a wide values_fixture is tried, and when they stand for all values.
#include "base/test.h"
#include "engine/explicit/explicit_impl.h"

// A procedure that reads an input of this width into r0 and evaluates one condition about it.
typedef struct values_fixture {
  ir_program *p;
  ir_proc f;
  ir_reg r;
  uint32_t edge;
  ir_loc end;
} values_fixture;

static values_fixture values_fixture_new (unsigned bits) {
  values_fixture i = {.p = ir_program_new ()};
  i.f = ir_add_proc (i.p, "start");
  i.p->start = i.f;
  i.r = ir_add_reg (i.p, i.f, bits, "x");
  ir_loc first = ir_add_loc (i.p, i.f);
  i.end = ir_add_loc (i.p, i.f);
  ir_proc_at (i.p, i.f)->entry = first;
  ir_edge e = ir_add_edge (i.p, IR_NONDET, first, i.end);
  ir_edge_at (i.p, e)->dst = i.r;
  i.edge = e.i;
  return i;
}

static ir_expr input_value (values_fixture *i) { return ir_use (i->p, i->f, i->r); }

static void check_condition (values_fixture *i, ir_expr condition) {
  ir_loc next = ir_add_loc (i->p, i->f);
  ir_edge e = ir_add_edge (i->p, IR_CHECK, i->end, next);
  ir_add_arg (i->p, e, condition);
  i->end = next;
}

static value_table *finish_program (values_fixture *i) {
  ir_edge e = ir_add_edge (i->p, IR_EXIT, i->end, (ir_loc){IR_NONE});
  ir_add_arg (i->p, e, ir_const (i->p, 32, 0));
  ir_finish (i->p);
  return values_new (i->p);
}

static bool is_tried (value_table *t, const values_fixture *i, unsigned bits, ir_value x) {
  for (uint32_t k = 0; k < values_count (t, i->edge, bits); k++)
    if (values_get (t, i->edge, bits, k) == x) return true;
  return false;
}

static void values_fixture_release (value_table *t, values_fixture *i) {
  values_free (t);
  ir_program_free (i->p);
}

static void narrow_inputs_are_tried_on_all_values (void **state) {
  (void) state;
  values_fixture i = values_fixture_new (8);
  value_table *t = finish_program (&i);
  assert_int_equal (values_count (t, i.edge, 8), 256);
  assert_true (values_complete (t, i.edge, 8));
  values_fixture_release (t, &i);
}

static void comparisons_with_constants_are_covered (void **state) {
  (void) state;
  values_fixture i = values_fixture_new (32);
  check_condition (&i, ir_binary (i.p, IR_X_SLT, input_value (&i), ir_const (i.p, 32, 100)));
  check_condition (&i, ir_binary (i.p, IR_X_NE, input_value (&i), ir_const (i.p, 32, 7)));
  value_table *t = finish_program (&i);
  assert_true (values_complete (t, i.edge, 32));
  const ir_value wanted[] = {6, 7, 8, 99, 100, 101, 0x7FFFFFFF, 0x80000000u, 0xFFFFFFFFu};
  for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) assert_true (is_tried (t, &i, 32, wanted[k]));
  values_fixture_release (t, &i);
}

static void small_remainders_are_covered (void **state) {
  (void) state;
  values_fixture i = values_fixture_new (32);
  ir_expr rest = ir_binary (i.p, IR_X_UREM, input_value (&i), ir_const (i.p, 32, 5));
  check_condition (&i, ir_binary (i.p, IR_X_EQ, rest, ir_const (i.p, 32, 3)));
  value_table *t = finish_program (&i);
  assert_true (values_complete (t, i.edge, 32));
  for (unsigned x = 0; x < 5; x++) assert_true (is_tried (t, &i, 32, x));
  values_fixture_release (t, &i);
}

static void arithmetic_is_only_sampled (void **state) {
  (void) state;
  values_fixture i = values_fixture_new (32);
  ir_expr twice = ir_binary (i.p, IR_X_ADD, input_value (&i), input_value (&i));
  check_condition (&i, ir_binary (i.p, IR_X_NE, twice, ir_const (i.p, 32, 34)));
  value_table *t = finish_program (&i);
  assert_false (values_complete (t, i.edge, 32));
  assert_true (is_tried (t, &i, 32, 34));
  verdict v;
  verdict_init (&v);
  values_count (t, i.edge, 32);
  values_add_bounds (t, &v);
  assert_int_equal (v.bounds.count, 1);
  verdict_release (&v);
  values_fixture_release (t, &i);
}

// A comparison and another use together: the values of one do not cover the other.
static void mixed_uses_are_only_sampled (void **state) {
  (void) state;
  values_fixture i = values_fixture_new (32);
  check_condition (&i, ir_binary (i.p, IR_X_SLT, input_value (&i), ir_const (i.p, 32, 10)));
  ir_expr low = ir_binary (i.p, IR_X_AND, input_value (&i), ir_const (i.p, 32, 3));
  check_condition (&i, ir_binary (i.p, IR_X_NE, low, ir_const (i.p, 32, 2)));
  value_table *t = finish_program (&i);
  assert_false (values_complete (t, i.edge, 32));
  values_fixture_release (t, &i);
}

// The values_fixture is passed to another procedure, through `x == 0 ? 1 : x`; there it is compared, or added to.
static void check_call (bool adds) {
  values_fixture i = values_fixture_new (30);
  ir_proc f = ir_add_proc (i.p, "f");
  ir_reg parameter = ir_add_reg (i.p, f, 32, "n"), copy = ir_add_reg (i.p, i.f, 32, "copy");
  ir_proc_at (i.p, f)->num_params = 1;
  ir_loc in = ir_add_loc (i.p, f), out = ir_add_loc (i.p, f), next = ir_add_loc (i.p, i.f),
         last = ir_add_loc (i.p, i.f);
  ir_proc_at (i.p, f)->entry = in;
  ir_expr is_zero = ir_binary (i.p, IR_X_EQ, input_value (&i), ir_const (i.p, 30, 0));
  ir_edge e = ir_add_edge (i.p, IR_ASSIGN, i.end, next);
  ir_edge_at (i.p, e)->dst = copy;
  ir_add_arg (i.p, e, ir_ite (i.p, is_zero, ir_const (i.p, 32, 1), ir_unary (i.p, IR_X_ZEXT, 32, input_value (&i))));
  e = ir_add_edge (i.p, IR_CALL, next, last);
  ir_add_arg (i.p, e, ir_addr (i.p, ir_proc_at (i.p, f)->object, 0));
  ir_add_arg (i.p, e, ir_use (i.p, i.f, copy));
  i.end = last;
  ir_expr n = ir_use (i.p, f, parameter), value = adds ? ir_binary (i.p, IR_X_ADD, n, n) : n;
  e = ir_add_edge (i.p, IR_CHECK, in, out);
  ir_add_arg (i.p, e, ir_binary (i.p, IR_X_NE, value, ir_const (i.p, 32, 17)));
  ir_add_edge (i.p, IR_RETURN, out, (ir_loc){IR_NONE});
  value_table *t = finish_program (&i);
  assert_int_equal (values_complete (t, i.edge, 30), !adds);
  assert_true (is_tried (t, &i, 30, 17));
  assert_true (is_tried (t, &i, 30, 0));
  values_fixture_release (t, &i);
}

static void inputs_are_followed_into_procedures (void **state) {
  (void) state;
  check_call (false);
  check_call (true);
}

TEST_MAIN (cmocka_unit_test (inputs_are_followed_into_procedures),
           cmocka_unit_test (narrow_inputs_are_tried_on_all_values),
           cmocka_unit_test (comparisons_with_constants_are_covered), cmocka_unit_test (small_remainders_are_covered),
           cmocka_unit_test (arithmetic_is_only_sampled), cmocka_unit_test (mixed_uses_are_only_sampled))
