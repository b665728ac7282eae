// Terms for the operands of edges in small programs: which are one term, which are fixed, and what they become in a
// caller.
#include "engine/locks/states/states_impl.h"

#include "engine/locks/states/states_test.h"

#define THREAD CREATE ("one", "0:64")

static bool same_value (lock_fixture *f, const char *one, const char *other) {
  value_term x = value_of (f, one, 0), y = value_of (f, other, 0);
  return x.i != VALUE_NONE && x.i == y.i;
}

static bool is_fixed (lock_fixture *f, const char *edge) {
  return value_is_fixed (&f->a.values, value_of (f, edge, 0));
}

static value_term_kind value_kind_of (lock_fixture *f, const char *edge) {
  return (value_term_kind) value_node_at (&f->a.values, value_of (f, edge, 0))->kind;
}

static void sums_have_one_form (void **state) {
  (void) state;
  lock_fixture f;
  fixture_init (
      &f,
      "r6 = nondet; r1 = assign sext.64(r6); r2 = assign ((&s + (r1 * 48:64)) + 40:64); "
      "r3 = assign (((r1 * 48:64) + 32:64) + &s+8); store.8 r2, 0:64 name 'one'; store.8 r3, 0:64 name 'other'; "
      "store.8 ((&s + (r1 * 48:64)) + 48:64), 0:64 name 'next'; store.8 (r2 - 8:64), 0:64 name 'before'; " EXIT,
      NULL, NULL, NULL);
  assert_true (same_value (&f, "one", "other"));
  assert_false (same_value (&f, "one", "next"));
  term_address one = address_of (&f, "one", 0), next = address_of (&f, "next", 0),
               before = address_of (&f, "before", 0);
  assert_int_equal (one.base.i, next.base.i);
  assert_int_equal (next.offset - one.offset, 8);
  assert_int_equal (before.base.i, one.base.i);
  assert_int_equal (before.offset - one.offset, -8);
  fixture_release (&f);
}

static void constants_are_computed (void **state) {
  (void) state;
  lock_fixture f;
  fixture_init (&f,
                "r1 = assign (3:64 * 4:64); r2 = assign (r1 + 30:64); store.8 &x, 0:64 name 'no'; output r2, r2 name "
                "'out'; " EXIT,
                NULL, NULL, NULL);
  ir_value x;
  assert_true (value_constant (&f.a.values, value_of (&f, "out", 0), &x));
  assert_int_equal (x, 42);
  assert_false (value_constant (&f.a.values, value_of (&f, "no", 0), &x));
  fixture_release (&f);
}

static void a_register_assigned_once_is_what_it_was_assigned (void **state) {
  (void) state;
  lock_fixture f;
  fixture_init (&f,
                "r1 = assign &a; r10 = nondet; r2 = assign &a; if r10 L1; r2 = assign &b; L1: r3 = assign 8:64; "
                "if r10 L2; r3 = assign 8:64; L2: store.8 r1, 0:64 name 'once'; store.8 &a, 0:64 name 'a'; "
                "store.8 r2, 0:64 name 'twice'; store.8 r3, 0:64 name 'same constant'; " EXIT,
                NULL, NULL, NULL);
  assert_true (same_value (&f, "once", "a"));
  assert_int_equal (value_kind_of (&f, "twice"), V_REG);
  assert_int_equal (value_kind_of (&f, "same constant"), V_CONST);
  fixture_release (&f);
}

static void a_stable_load_is_the_content (void **state) {
  (void) state;
  lock_fixture f;
  fixture_init (&f, "store.8 &p, &a; " THREAD "r0 = load.8 &p; store.8 r0, 0:64 name 'start'; store.8 &x, 1:64; " EXIT,
                "r1 = load.8 &p; store.8 r1, 0:64 name 'one'; r2 = load.8 &x; store.8 r2, 0:64 name 'changes'; " RETURN,
                NULL, NULL);
  assert_true (same_value (&f, "start", "one"));
  assert_int_equal (value_kind_of (&f, "one"), V_LOAD);
  assert_true (is_fixed (&f, "one"));
  assert_int_equal (value_kind_of (&f, "changes"), V_REG);
  assert_false (is_fixed (&f, "changes"));
  fixture_release (&f);
}

static void only_an_object_that_exists_once_has_a_fixed_address (void **state) {
  (void) state;
  lock_fixture f;
  fixture_init (&f,
                "r0 = alloc heap 8:64; store.8 r0, 0:64 name 'single'; L1: r1 = alloc heap 8:64; "
                "store.8 r1, 0:64 name 'many'; r10 = nondet; if r10 L1; " EXIT,
                NULL, NULL, NULL);
  assert_true (is_fixed (&f, "single"));
  assert_int_equal (value_kind_of (&f, "single"), V_ADDR);
  assert_false (is_fixed (&f, "many"));
  assert_int_equal (value_kind_of (&f, "many"), V_REG);
  fixture_release (&f);
}

// ---- parameters -----------------------------------------------------------------------------------------------------
static value_term first_argument (void *state, value_term leaf) {
  lock_fixture *f = state;
  uint32_t k;
  if (!value_is_param (&f->a.values, leaf, proc_named (f, "help"), &k)) return (value_term){VALUE_NONE};
  return value_of (f, "call", k + 1);
}

static void a_term_over_parameters_in_its_caller (void **state) {
  (void) state;
  lock_fixture f;
  fixture_init (
      &f, "r0 = call &help, &s+48, 5:64 name 'call'; store.8 &s+88, 0:64 name 'here'; " EXIT, NULL, NULL,
      "store.8 (r0 + 40:64), r1 name 'there'; r2 = load.8 &x; store.8 (r0 + r2), 0:64 name 'elsewhere'; " RETURN);
  value_term there = value_of (&f, "there", 0), elsewhere = value_of (&f, "elsewhere", 0);
  assert_false (value_is_fixed (&f.a.values, there));
  assert_true (value_over_params (&f.a.values, there, proc_named (&f, "help")));
  assert_false (value_over_params (&f.a.values, elsewhere, proc_named (&f, "help")));
  assert_int_equal (value_replace (&f.a.values, there, first_argument, &f).i, value_of (&f, "here", 0).i);
  assert_int_equal (value_replace (&f.a.values, elsewhere, first_argument, &f).i, VALUE_NONE);
  fixture_release (&f);
}

static void a_parameter_that_is_assigned_is_none (void **state) {
  (void) state;
  lock_fixture f;
  uint32_t k;
  fixture_init (&f, "r0 = call &help, &a, &b; " EXIT, NULL, NULL,
                "store.8 r1, 0:64 name 'kept'; r0 = assign &b; store.8 r0, 0:64 name 'assigned'; " RETURN);
  assert_false (value_is_param (&f.a.values, value_of (&f, "assigned", 0), proc_named (&f, "help"), &k));
  fixture_release (&f);
  fixture_init (&f, "r0 = call &help, &a, &b; " EXIT, NULL, NULL, "store.8 r1, 0:64 name 'kept'; " RETURN);
  assert_true (value_is_param (&f.a.values, value_of (&f, "kept", 0), proc_named (&f, "help"), &k));
  assert_int_equal (k, 1);
  assert_false (value_is_param (&f.a.values, value_of (&f, "kept", 0), proc_named (&f, "start"), &k));
  fixture_release (&f);
}

static void a_term_uses_the_registers_in_it (void **state) {
  (void) state;
  lock_fixture f;
  fixture_init (&f, "r0 = call &help, &a, 8:64; " EXIT, NULL, NULL,
                "r2 = assign (r1 * 2:64); store.8 (&x + r2), 0:64 name 'sum'; " RETURN);
  value_term sum = value_of (&f, "sum", 0);
  assert_true (value_uses (&f.a.values, sum, proc_named (&f, "help"), 1));
  assert_false (value_uses (&f.a.values, sum, proc_named (&f, "help"), 2));
  assert_false (value_uses (&f.a.values, sum, proc_named (&f, "start"), 1));
  fixture_release (&f);
}

TEST_MAIN (cmocka_unit_test (sums_have_one_form), cmocka_unit_test (constants_are_computed),
           cmocka_unit_test (a_register_assigned_once_is_what_it_was_assigned),
           cmocka_unit_test (a_stable_load_is_the_content),
           cmocka_unit_test (only_an_object_that_exists_once_has_a_fixed_address),
           cmocka_unit_test (a_term_over_parameters_in_its_caller),
           cmocka_unit_test (a_parameter_that_is_assigned_is_none), cmocka_unit_test (a_term_uses_the_registers_in_it))
