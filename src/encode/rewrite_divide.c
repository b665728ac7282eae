// Rules for divisions by constants, and for tests of overflow.
#include "encode/encode_impl.h"

static bool is_power_of_two (const term_pool *p, term t, unsigned *exponent) {
  if (!term_is_const (p, t)) return false;
  ir_value c = term_value (p, t);
  if (!c || (c & (c - 1))) return false;
  *exponent = term_width_of (c) - 1;
  return true;
}

static bool is_never_negative (const term_pool *p, term t) {
  return term_knows_zero (p, t, term_least (term_bits (p, t)));
}

// Divides in a narrower width, if both operands are extended from that width and the second is known not to be zero.
static term divide_narrow (term_pool *p, ir_expr_op op, term x, term y) {
  if (term_op (p, x) != IR_X_ZEXT || !known_min (p, y)) return TERM_NONE;
  term narrow = term_arg (p, x, 0);
  unsigned bits = term_bits (p, narrow);
  if (!term_knows_zero (p, y, term_mask (term_bits (p, y)) & ~term_mask (bits))) return TERM_NONE;
  return term_resize (p, term_binary (p, op, narrow, rewrite_extract (p, y, 0, bits)), term_bits (p, x));
}

term rewrite_udiv (term_pool *p, term x, term y) {
  unsigned power;
  if (term_is (p, y, 0)) return term_const_like (p, x, ~(ir_value) 0);
  if (is_power_of_two (p, y, &power)) return term_binary (p, IR_X_LSHR, x, term_const_like (p, x, power));
  if (known_max (p, x) < known_min (p, y)) return term_const_like (p, x, 0);
  return divide_narrow (p, IR_X_UDIV, x, y);
}

term rewrite_urem (term_pool *p, term x, term y) {
  unsigned power;
  if (term_is (p, y, 0)) return x;
  if (is_power_of_two (p, y, &power)) return term_and (p, x, term_const_like (p, x, term_mask (power)));
  if (known_max (p, x) < known_min (p, y)) return x;
  return divide_narrow (p, IR_X_UREM, x, y);
}

// Divides by 2^power.  Signed division rounds towards zero, so 2^power - 1 is added to a negative x before the shift.
static term sdiv_by_power (term_pool *p, term x, unsigned power) {
  unsigned bits = term_bits (p, x);
  term signs = term_binary (p, IR_X_ASHR, x, term_const (p, bits, bits - 1));
  term bias = term_and (p, signs, term_const (p, bits, term_mask (power)));
  return term_binary (p, IR_X_ASHR, term_add (p, x, bias), term_const (p, bits, power));
}

term rewrite_sdiv (term_pool *p, term x, term y) {
  unsigned power, bits = term_bits (p, x);
  if (term_is (p, y, 0)) return term_const (p, bits, ~(ir_value) 0);
  if (term_is_ones (p, y)) return term_sub (p, term_const (p, bits, 0), x);
  if (is_never_negative (p, x) && is_never_negative (p, y)) return term_binary (p, IR_X_UDIV, x, y);
  if (is_power_of_two (p, y, &power) && power < bits - 1) return power ? sdiv_by_power (p, x, power) : x;
  return TERM_NONE;
}

term rewrite_srem (term_pool *p, term x, term y) {
  unsigned power, bits = term_bits (p, x);
  if (term_is (p, y, 0)) return x;
  if (term_is_ones (p, y)) return term_const (p, bits, 0);
  if (is_never_negative (p, x) && is_never_negative (p, y)) return term_binary (p, IR_X_UREM, x, y);
  if (!is_power_of_two (p, y, &power) || power >= bits - 1) return TERM_NONE;
  if (!power) return term_const (p, bits, 0);
  term whole = term_binary (p, IR_X_SHL, sdiv_by_power (p, x, power), term_const (p, bits, power));
  return term_sub (p, x, whole);
}

// ---- overflow ----------------------------------------------------------------------------------------------------

// Returns the number of bits in which the term fits as a signed number.
static unsigned signed_width (const term_pool *p, term t) {
  unsigned bits = term_bits (p, t), n = bits;
  if (term_op (p, t) == IR_X_SEXT) return term_bits (p, term_arg (p, t, 0));
  term_known k = term_known_bits (p, t);
  ir_value same = k.zeros >> (bits - 1) & 1 ? k.zeros : k.ones;  // copies of the sign
  while (n > 1 && same >> (n - 1) & 1 && same >> (n - 2) & 1) n--;
  return n;
}

static bool never_overflows (const term_pool *p, ir_expr_op op, term x, term y) {
  unsigned bits = term_bits (p, x);
  switch (op) {
  case IR_X_SADDO:
  case IR_X_SSUBO: return signed_width (p, x) < bits && signed_width (p, y) < bits;
  case IR_X_SMULO: return signed_width (p, x) + signed_width (p, y) <= bits;
  case IR_X_UADDO: return term_width_of (known_max (p, x)) < bits && term_width_of (known_max (p, y)) < bits;
  default: return term_width_of (known_max (p, x)) + term_width_of (known_max (p, y)) <= bits;  // UMULO
  }
}

// Returns whether x + c overflows as a signed sum: x > max - c if c > 0, x < min - c if c < 0.
static term signed_sum_overflows (term_pool *p, term x, ir_value c) {
  unsigned bits = term_bits (p, x);
  if (!c) return p->falsity;
  if (c & term_least (bits)) return term_compare (p, IR_X_SLT, x, term_const (p, bits, term_least (bits) - c));
  return term_compare (p, IR_X_SLT, term_const (p, bits, term_mask (bits - 1) - c), x);
}

term rewrite_overflow (term_pool *p, ir_expr_op op, term x, term y) {
  unsigned bits = term_bits (p, x);
  if (op == IR_X_USUBO) return term_ult (p, x, y);
  if (never_overflows (p, op, x, y)) return p->falsity;
  if (!term_is_const (p, y)) return TERM_NONE;
  ir_value c = term_value (p, y);
  if (op == IR_X_UADDO) return term_ult (p, term_const (p, bits, term_mask (bits) - c), x);
  if (op == IR_X_SADDO) return signed_sum_overflows (p, x, c);
  if (op == IR_X_SSUBO && c != term_least (bits)) return signed_sum_overflows (p, x, -c & term_mask (bits));
  return TERM_NONE;
}
