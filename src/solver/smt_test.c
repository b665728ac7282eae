// The SMT solver: every operator on constants and on variables against ir_eval_op, cores, limits.
#include "base/rng.h"
#include "base/test.h"
#include "solver/smt.h"

static const budget no_limit = {0};

static ir_value mask (unsigned bits) { return bits == 128 ? ~(ir_value) 0 : ((ir_value) 1 << bits) - 1; }

static ir_value random_value (rng *r, unsigned bits) {
  ir_value top = (ir_value) 1 << (bits - 1), v;
  switch (rng_below (r, 6)) {
  case 0: v = 0; break;
  case 1: v = ~(ir_value) 0; break;
  case 2: v = top; break;
  case 3: v = rng_below (r, 200); break;
  default: v = (ir_value) rng_next (r) << 64 | rng_next (r); break;
  }
  return v & mask (bits);
}

static void assert_equal (smt *s, smt_word x, smt_word y) {
  smt_word same = smt_apply (s, IR_X_EQ, 1, x, y, SMT_NONE);
  smt_add_clause (s, &same, 1);
}

// Variables are set to values by assertions; the operator's value in the model is the only one it can have.
static void check_op (rng *r, ir_expr_op op, unsigned bits, unsigned from) {
  smt *s = smt_new (&no_limit);
  smt_word arg[3] = {SMT_NONE, SMT_NONE, SMT_NONE};
  ir_value v[3] = {0};
  for (unsigned k = 0; k < ir_expr_arity (op); k++) {
    unsigned width = op == IR_X_ITE && !k ? 1 : from;
    v[k] = random_value (r, width);
    arg[k] = smt_var (s, width);
    assert_equal (s, arg[k], smt_const (s, width, v[k]));
  }
  smt_word result = smt_apply (s, op, bits, arg[0], arg[1], arg[2]);
  ir_value expected = ir_eval_op (op, bits, from, v);
  assert_int_equal (smt_check (s, NULL, 0), SMT_YES);
  if (smt_value (s, result) != expected)
    fail_msg ("operator %d, %u bits from %u: %llx, not %llx", op, bits, from,
              (unsigned long long) smt_value (s, result), (unsigned long long) expected);
  smt_word same = smt_apply (s, IR_X_NE, 1, result, smt_const (s, bits, expected), SMT_NONE);
  assert_int_equal (smt_check (s, &same, 1), SMT_NO);
  smt_free (s);
}

static void operators_match_evaluation (void **state) {
  (void) state;
  static const unsigned widths[] = {1, 3, 8, 32, 128};
  rng r = {3};
  for (ir_expr_op op = IR_X_ADD; op < IR_NUM_EXPR_OPS; op++)
    for (unsigned i = 0; i < 5; i++) {
      if (!smt_has_op (op) || (op == IR_X_BSWAP && widths[i] % 8)) continue;
      bool compares = (op >= IR_X_EQ && op <= IR_X_SLE) || (op >= IR_X_SADDO && op <= IR_X_UMULO);
      unsigned bits = compares ? 1 : op == IR_X_ZEXT || op == IR_X_SEXT ? 128 : op == IR_X_TRUNC ? 1 : widths[i];
      for (unsigned round = 0; round < 3; round++) check_op (&r, op, bits, widths[i]);
    }
}

static void cores_name_what_matters (void **state) {
  (void) state;
  smt *s = smt_new (&no_limit);
  smt_word x = smt_var (s, 8), five = smt_const (s, 8, 5), small = smt_apply (s, IR_X_ULT, 1, x, five, SMT_NONE),
           large = smt_apply (s, IR_X_ULT, 1, five, x, SMT_NONE), other = smt_var (s, 1);
  assert_int_equal (smt_check (s, (smt_word[]){small, other, large}, 3), SMT_NO);
  assert_true (smt_in_core (s, 0) && !smt_in_core (s, 1) && smt_in_core (s, 2));
  assert_int_equal (smt_check (s, (smt_word[]){small, other}, 2), SMT_YES);
  assert_true (smt_value (s, x) < 5 && smt_value (s, other) == 1);
  smt_add_clause (s, (smt_word[]){large}, 1);
  assert_int_equal (smt_check (s, (smt_word[]){small}, 1), SMT_NO);
  assert_int_equal (smt_check (s, NULL, 0), SMT_YES);
  smt_add_clause (s, NULL, 0);
  assert_int_equal (smt_check (s, NULL, 0), SMT_NO);
  assert_int_equal (smt_num_calls (s), 5);
  smt_free (s);
}

static void limits_stop_it (void **state) {
  (void) state;
  budget b;
  budget_start (&b, 0.3, 0);
  smt *s = smt_new (&b);
  smt_word x = smt_var (s, 100), y = smt_var (s, 100);
  assert_equal (s, smt_apply (s, IR_X_MUL, 100, x, y, SMT_NONE),
                smt_const (s, 100, ((ir_value) 0x4D2F0A6C1 << 64) + 0x9E3779B97F4A7C15u));
  for (unsigned i = 0; i < 2; i++) {
    smt_word large = smt_apply (s, IR_X_ULT, 1, smt_const (s, 100, 1u << 20), i ? x : y, SMT_NONE),
             bounded = smt_apply (s, IR_X_ULT, 1, i ? x : y, smt_const (s, 100, (ir_value) 1 << 50), SMT_NONE);
    smt_add_clause (s, &large, 1);
    smt_add_clause (s, &bounded, 1);
  }
  assert_int_equal (smt_check (s, NULL, 0), SMT_STOPPED);
  assert_true (budget_elapsed (&b) < TEST_PATIENCE);
  assert_int_equal (smt_check (s, NULL, 0), SMT_STOPPED);
  smt_free (s);
}

TEST_MAIN (cmocka_unit_test (operators_match_evaluation), cmocka_unit_test (cores_name_what_matters),
           cmocka_unit_test (limits_stop_it))
