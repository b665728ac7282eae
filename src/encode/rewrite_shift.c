// Rules for shifts and extensions.
#include "encode/encode_impl.h"

static bool is_const_amount (const term_pool *p, term amount, unsigned bits, unsigned *n) {
  if (!term_is_const (p, amount) || term_value (p, amount) >= bits) return false;
  *n = (unsigned) term_value (p, amount);
  return true;
}

// Is the amount at least the width, so that all bits are shifted out?  It may be an unknown amount with a known
// minimum.
static bool shifts_all_out (const term_pool *p, term amount) { return known_min (p, amount) >= term_bits (p, amount); }

static term shift_const (term_pool *p, ir_expr_op op, term x, unsigned n) {
  return n ? term_binary (p, op, x, term_const_like (p, x, n)) : x;
}

// Combines two shifts of the same kind.
static term shift_twice (term_pool *p, ir_expr_op op, term x, unsigned n) {
  term y;
  ir_value m;
  if (!term_is_op_const (p, x, op, &y, &m)) return TERM_NONE;
  ir_value sum = m + n, last = term_bits (p, x) - 1;
  if (sum > last && op != IR_X_ASHR) return term_const_like (p, x, 0);
  return shift_const (p, op, y, (unsigned) (sum > last ? last : sum));
}

term rewrite_shl (term_pool *p, term x, term y) {
  unsigned bits = term_bits (p, x), n;
  term z;
  ir_value m;
  if (term_is (p, x, 0) || shifts_all_out (p, y)) return term_const (p, bits, 0);
  if (bits == 1) return term_and (p, x, term_not (p, y));
  if (!is_const_amount (p, y, bits, &n)) return TERM_NONE;
  if (!n) return x;
  if (term_is_op_const (p, x, IR_X_LSHR, &z, &m) && m == n)
    return term_and (p, z, term_const (p, bits, ~term_mask (n)));
  return shift_twice (p, IR_X_SHL, x, n);
}

// Rewrites (x | y) >> n if all set bits of one operand are shifted out.
static term lshr_of_or (term_pool *p, term x, unsigned n) {
  ir_value kept = term_mask (term_bits (p, x)) & ~term_mask (n);
  for (unsigned k = 0; k < 2; k++)
    if (term_knows_zero (p, term_arg (p, x, k), kept)) return shift_const (p, IR_X_LSHR, term_arg (p, x, 1 - k), n);
  return TERM_NONE;
}

// Rewrites (x << up) >> down, which is a shifted part of x.
static term lshr_of_shl (term_pool *p, term x, unsigned up, unsigned down) {
  unsigned bits = term_bits (p, x);
  if (up <= down) return term_resize (p, rewrite_extract (p, x, down - up, bits - down), bits);
  return term_and (p, shift_const (p, IR_X_SHL, x, up - down), term_const (p, bits, term_mask (bits - down)));
}

term rewrite_lshr (term_pool *p, term x, term y) {
  unsigned bits = term_bits (p, x), n;
  term z;
  ir_value m;
  if (term_is (p, x, 0) || shifts_all_out (p, y)) return term_const (p, bits, 0);
  if (bits == 1) return term_and (p, x, term_not (p, y));
  if (!is_const_amount (p, y, bits, &n)) return TERM_NONE;
  if (!n) return x;
  if (term_op (p, x) == IR_X_OR) return lshr_of_or (p, x, n);
  if (term_op (p, x) == IR_X_ZEXT) {
    z = term_arg (p, x, 0);
    return n < term_bits (p, z) ? term_resize (p, shift_const (p, IR_X_LSHR, z, n), bits) : term_const (p, bits, 0);
  }
  if (term_is_op_const (p, x, IR_X_SHL, &z, &m) && m < bits) return lshr_of_shl (p, z, (unsigned) m, n);
  return shift_twice (p, IR_X_LSHR, x, n);
}

term rewrite_ashr (term_pool *p, term x, term y) {
  unsigned bits = term_bits (p, x), n;
  if (bits == 1) return x;
  if (term_knows_zero (p, x, term_least (bits))) return term_binary (p, IR_X_LSHR, x, y);
  if (shifts_all_out (p, y)) return term_binary (p, IR_X_ASHR, x, term_const (p, bits, bits - 1));
  if (!is_const_amount (p, y, bits, &n)) return TERM_NONE;
  return n ? shift_twice (p, IR_X_ASHR, x, n) : x;
}

// ---- extensions --------------------------------------------------------------------------------------------------

// Rewrites zext (trunc x) if all bits that trunc removes are zeros.
static term extend_cut (term_pool *p, unsigned bits, term cut) {
  term x = term_arg (p, cut, 0);
  ir_value lost = term_mask (term_bits (p, x)) & ~term_mask (term_bits (p, cut));
  return term_knows_zero (p, x, lost) ? term_resize (p, x, bits) : TERM_NONE;
}

term rewrite_extend (term_pool *p, ir_expr_op op, unsigned bits, term x) {
  unsigned from = term_bits (p, x);
  ir_expr_op inner = term_op (p, x);
  if (from == bits) return x;
  if (inner == op) return term_unary (p, op, bits, term_arg (p, x, 0));
  if (op == IR_X_SEXT && term_knows_zero (p, x, term_least (from))) return term_unary (p, IR_X_ZEXT, bits, x);
  return op == IR_X_ZEXT && inner == IR_X_TRUNC ? extend_cut (p, bits, x) : TERM_NONE;
}
