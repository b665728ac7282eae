// Rules for ULT and SLT.
#include "encode/encode_impl.h"

// Compares ite (q, v, w) with a constant if one branch is constant; `compare` compares a branch with the constant.
typedef term comparison (term_pool *, ir_expr_op, term branch, term constant);
static term choice_first (term_pool *p, ir_expr_op op, term branch, term c) { return term_compare (p, op, branch, c); }
static term choice_second (term_pool *p, ir_expr_op op, term branch, term c) { return term_compare (p, op, c, branch); }

static term compare_choice (term_pool *p, ir_expr_op op, term x, term c, comparison *compare) {
  if (term_op (p, x) != IR_X_ITE || !term_is_const (p, c)) return TERM_NONE;
  term_node n = *term_at (p, x);
  if (!term_is_const (p, n.arg[1]) && !term_is_const (p, n.arg[2])) return TERM_NONE;
  return term_ite (p, n.arg[0], compare (p, op, n.arg[1], c), compare (p, op, n.arg[2], c));
}

static term lift_choice (term_pool *p, ir_expr_op op, term x, term y) {
  term r = compare_choice (p, op, x, y, choice_first);
  return term_is_some (r) ? r : compare_choice (p, op, y, x, choice_second);
}

// Compares the narrow words, if one side is a zero extension, and the other is one, too, or a constant that fits.
static term narrow_unsigned (term_pool *p, term x, term y) {
  term extended = term_op (p, x) == IR_X_ZEXT ? x : y;
  if (term_op (p, extended) != IR_X_ZEXT) return TERM_NONE;
  unsigned bits = term_bits (p, term_arg (p, extended, 0));
  ir_value above = term_mask (term_bits (p, x)) & ~term_mask (bits);
  if (!term_knows_zero (p, x, above) || !term_knows_zero (p, y, above)) return TERM_NONE;
  return term_ult (p, rewrite_extract (p, x, 0, bits), rewrite_extract (p, y, 0, bits));
}

static term not_equal (term_pool *p, term x, ir_value c) {
  return term_not (p, term_eq (p, x, term_const_like (p, x, c)));
}

static term ult_at_limits (term_pool *p, term x, term y) {
  ir_value greatest = term_mask (term_bits (p, x));
  if (term_is (p, x, 0)) return not_equal (p, y, 0);
  if (term_is (p, y, 1)) return term_eq (p, x, term_const_like (p, x, 0));
  if (term_is (p, y, greatest)) return not_equal (p, x, greatest);
  if (term_is (p, x, greatest - 1)) return term_eq (p, y, term_const_like (p, y, greatest));
  return TERM_NONE;
}

term rewrite_ult (term_pool *p, term x, term y) {
  if (term_same (x, y) || known_min (p, x) >= known_max (p, y)) return p->falsity;
  if (known_max (p, x) < known_min (p, y)) return p->truth;
  if (term_bits (p, x) == 1) return term_and (p, term_not (p, x), y);
  term r = ult_at_limits (p, x, y);
  if (!term_is_some (r)) r = narrow_unsigned (p, x, y);
  return term_is_some (r) ? r : lift_choice (p, IR_X_ULT, x, y);
}

// ---- signed ------------------------------------------------------------------------------------------------------

typedef enum sign { UNKNOWN_SIGN, NOT_NEGATIVE, NEGATIVE } sign;

static sign known_sign (const term_pool *p, term t) {
  ir_value bit = term_least (term_bits (p, t));
  term_known k = term_known_bits (p, t);
  return k.zeros & bit ? NOT_NEGATIVE : k.ones & bit ? NEGATIVE : UNKNOWN_SIGN;
}

static term sign_bit_term (term_pool *p, term t) { return rewrite_extract (p, t, term_bits (p, t) - 1, 1); }

static term slt_at_limits (term_pool *p, term x, term y) {
  unsigned bits = term_bits (p, x);
  ir_value least = term_least (bits), greatest = least - 1;
  if (term_is (p, y, least) || term_is (p, x, greatest)) return p->falsity;
  if (term_is (p, x, least)) return not_equal (p, y, least);
  if (term_is (p, y, greatest)) return not_equal (p, x, greatest);
  if (term_is (p, y, least + 1)) return term_eq (p, x, term_const (p, bits, least));
  if (term_is (p, x, greatest - 1)) return term_eq (p, y, term_const (p, bits, greatest));
  if (term_is (p, y, 0)) return sign_bit_term (p, x);
  if (term_is_ones (p, x)) return term_not (p, sign_bit_term (p, y));
  return TERM_NONE;
}

// Is t equal to the sign extension of its low `bits` bits?  This may also hold for constants and zero extensions.
static bool is_extended (const term_pool *p, term t, unsigned bits) {
  unsigned width = term_bits (p, t);
  if (term_op (p, t) == IR_X_SEXT) return term_bits (p, term_arg (p, t, 0)) <= bits;
  if (!term_is_const (p, t)) return term_knows_zero (p, t, term_mask (width) & ~term_mask (bits - 1));
  ir_value low = term_value (p, t) & term_mask (bits);
  return ir_eval_op (IR_X_SEXT, width, bits, (ir_value[3]){low}) == term_value (p, t);
}

static term narrow_signed (term_pool *p, term x, term y) {
  for (unsigned k = 0; k < 2; k++) {
    term extended = k ? y : x;
    if (term_op (p, extended) != IR_X_SEXT) continue;
    unsigned bits = term_bits (p, term_arg (p, extended, 0));
    if (is_extended (p, x, bits) && is_extended (p, y, bits))
      return term_compare (p, IR_X_SLT, rewrite_extract (p, x, 0, bits), rewrite_extract (p, y, 0, bits));
  }
  return TERM_NONE;
}

// Compares a sign-extended word with a constant outside its range.
static term beyond_range (term_pool *p, term x, term y) {
  if (term_op (p, x) == IR_X_SEXT && term_is_const (p, y) && !is_extended (p, y, term_bits (p, term_arg (p, x, 0))))
    return term_const (p, 1, known_sign (p, y) == NOT_NEGATIVE);
  if (term_op (p, y) == IR_X_SEXT && term_is_const (p, x) && !is_extended (p, x, term_bits (p, term_arg (p, y, 0))))
    return term_const (p, 1, known_sign (p, x) == NEGATIVE);
  return TERM_NONE;
}

term rewrite_slt (term_pool *p, term x, term y) {
  sign a = known_sign (p, x), b = known_sign (p, y);
  if (term_same (x, y)) return p->falsity;
  if (term_bits (p, x) == 1) return term_and (p, x, term_not (p, y));
  if (a != UNKNOWN_SIGN && b != UNKNOWN_SIGN) return a == b ? term_ult (p, x, y) : term_const (p, 1, a == NEGATIVE);
  term r = slt_at_limits (p, x, y);
  if (!term_is_some (r)) r = narrow_signed (p, x, y);
  if (!term_is_some (r)) r = beyond_range (p, x, y);
  return term_is_some (r) ? r : lift_choice (p, IR_X_SLT, x, y);
}
