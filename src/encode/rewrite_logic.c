// Rules for AND, OR, XOR, for words and conditions alike.
//
// The rules for AND over two levels are those of Brummayer and Biere, "Local two-level and-inverter graph minimization
// without blowup" (2006), on terms, where a complement is an XOR with ones.  OR of conditions is turned into AND; OR of
// words is kept, since a concatenation of two words (term_concat) is an OR.
#include "encode/encode_impl.h"

// ---- two levels of AND -------------------------------------------------------------------------------------------

// Is t of the form x & y, or, below, ~(x & y)?
static bool match_condition_and (const term_pool *p, term t, term *x, term *y) {
  if (term_op (p, t) != IR_X_AND) return false;
  *x = term_arg (p, t, 0);
  *y = term_arg (p, t, 1);
  return true;
}

static bool is_nand (const term_pool *p, term t, term *x, term *y) {
  term inner;
  return term_is_complement (p, t, &inner) && match_condition_and (p, inner, x, y);
}

// Rewrites a & b for a = x & y.
static term and_inside (term_pool *p, term a, term b) {
  term x, y;
  if (!match_condition_and (p, a, &x, &y)) return TERM_NONE;
  if (term_same (b, x) || term_same (b, y)) return a;
  if (term_opposite (p, b, x) || term_opposite (p, b, y)) return term_const_like (p, a, 0);
  return TERM_NONE;
}

// Rewrites a & b for a = ~(x & y).
static term and_outside (term_pool *p, term a, term b) {
  term x, y;
  if (!is_nand (p, a, &x, &y)) return TERM_NONE;
  if (term_opposite (p, b, x) || term_opposite (p, b, y)) return b;
  if (term_same (b, x)) return term_and (p, b, term_complement (p, y));
  if (term_same (b, y)) return term_and (p, b, term_complement (p, x));
  return TERM_NONE;
}

// Rewrites a & b for a = x & y and b = z & w.
static term and_of_ands (term_pool *p, term a, term b) {
  term x, y, z, w;
  if (!match_condition_and (p, a, &x, &y) || !match_condition_and (p, b, &z, &w)) return TERM_NONE;
  if (term_opposite (p, x, z) || term_opposite (p, x, w) || term_opposite (p, y, z) || term_opposite (p, y, w))
    return term_const_like (p, a, 0);
  if (term_same (x, z) || term_same (y, z)) return term_and (p, a, w);
  if (term_same (x, w) || term_same (y, w)) return term_and (p, a, z);
  return TERM_NONE;
}

// Rewrites a & b for a = x & y and b = ~(z & w).
static term and_of_and_nand (term_pool *p, term a, term b) {
  term x, y, z, w;
  if (!match_condition_and (p, a, &x, &y) || !is_nand (p, b, &z, &w)) return TERM_NONE;
  if (term_opposite (p, x, z) || term_opposite (p, x, w) || term_opposite (p, y, z) || term_opposite (p, y, w))
    return a;
  if (term_same (x, z) || term_same (y, z)) return term_and (p, a, term_complement (p, w));
  if (term_same (x, w) || term_same (y, w)) return term_and (p, a, term_complement (p, z));
  return TERM_NONE;
}

// Rewrites ~(x & y) & ~(x & ~y) to ~x.
static term and_of_nands (term_pool *p, term a, term b) {
  term x, y, z, w;
  if (!is_nand (p, a, &x, &y) || !is_nand (p, b, &z, &w)) return TERM_NONE;
  if ((term_same (x, z) && term_opposite (p, y, w)) || (term_same (x, w) && term_opposite (p, y, z)))
    return term_complement (p, x);
  if ((term_same (y, z) && term_opposite (p, x, w)) || (term_same (y, w) && term_opposite (p, x, z)))
    return term_complement (p, y);
  return TERM_NONE;
}

// Rewrites (x | y) & x to x.
static term and_absorbs (const term_pool *p, term a, term b) {
  bool inside = term_op (p, a) == IR_X_OR && (term_same (term_arg (p, a, 0), b) || term_same (term_arg (p, a, 1), b));
  return inside ? b : TERM_NONE;
}

static term first_of (term_pool *p, term_rule *const *rules, unsigned count, term a, term b) {
  for (unsigned k = 0; k < count; k++) {
    term r = rules[k](p, a, b);
    if (term_is_some (r)) return r;
  }
  return TERM_NONE;
}

static term and_two_levels (term_pool *p, term a, term b) {
  static term_rule *const rules[] = {and_inside, and_outside, and_of_ands, and_of_and_nand, and_of_nands};
  return first_of (p, rules, sizeof rules / sizeof *rules, a, b);
}

// ---- AND ---------------------------------------------------------------------------------------------------------

static term and_const (term_pool *p, term x, term mask) {
  unsigned bits = term_bits (p, x);
  ir_value m = term_value (p, mask), c;
  term y;
  if (!m) return mask;
  if (term_knows_zero (p, x, ~m & term_mask (bits))) return x;
  if (term_is_op_const (p, x, IR_X_AND, &y, &c)) return term_and (p, y, term_const (p, bits, c & m));
  if (!(m & (m + 1)))
    // the mask is a number of low ones: the low part of x
    return term_resize (p, rewrite_extract (p, x, 0, term_width_of (m)), bits);
  if (term_op (p, x) == IR_X_ZEXT) {
    y = term_arg (p, x, 0);
    return term_resize (p, term_and (p, y, term_const_like (p, y, m)), bits);
  }
  if (term_op (p, x) == IR_X_OR)
    for (unsigned k = 0; k < 2; k++)
      if (term_knows_zero (p, term_arg (p, x, k), m)) return term_and (p, term_arg (p, x, 1 - k), mask);
  return TERM_NONE;
}

term rewrite_and (term_pool *p, term x, term y) {
  if (term_same (x, y)) return x;
  if (term_opposite (p, x, y)) return term_const_like (p, x, 0);
  if (term_is_const (p, y)) return and_const (p, x, y);
  term r = and_two_levels (p, x, y);
  if (!term_is_some (r)) r = and_two_levels (p, y, x);
  if (!term_is_some (r)) r = and_absorbs (p, x, y);
  return term_is_some (r) ? r : and_absorbs (p, y, x);
}

// ---- OR of words -------------------------------------------------------------------------------------------------

// Finds x and `low` such that t is the bits of x from `low` on; x is t itself if t is no extraction.
static void as_extract (const term_pool *p, term t, term *x, unsigned *low) {
  ir_value amount;
  *x = t;
  *low = 0;
  if (term_op (p, t) != IR_X_TRUNC) return;
  *x = term_arg (p, t, 0);
  if (term_is_op_const (p, *x, IR_X_LSHR, x, &amount)) *low = (unsigned) amount;
}

term rewrite_concat (term_pool *p, term high, term low) {
  term x, y;
  unsigned from, to;
  as_extract (p, high, &x, &to);
  as_extract (p, low, &y, &from);
  if (!term_same (x, y) || to != from + term_bits (p, low)) return TERM_NONE;
  return rewrite_extract (p, x, from, term_bits (p, low) + term_bits (p, high));
}

// Rewrites (zext high << k) | zext low if `high` and `low` are adjacent parts of one word.
static term or_join (term_pool *p, term a, term b) {
  term x;
  ir_value place;
  if (!term_is_op_const (p, a, IR_X_SHL, &x, &place) || term_op (p, x) != IR_X_ZEXT || term_op (p, b) != IR_X_ZEXT)
    return TERM_NONE;
  term high = term_arg (p, x, 0), low = term_arg (p, b, 0);
  if (place != term_bits (p, low) || place + term_bits (p, high) > term_bits (p, a)) return TERM_NONE;
  x = rewrite_concat (p, high, low);
  return term_is_some (x) ? term_resize (p, x, term_bits (p, a)) : TERM_NONE;
}

// Is t a masked word, x & mask with a constant mask?
static bool is_masked (const term_pool *p, term t, term *x, ir_value *mask) {
  if (term_is_op_const (p, t, IR_X_AND, x, mask)) return true;
  if (term_op (p, t) != IR_X_ZEXT || term_op (p, term_arg (p, t, 0)) != IR_X_TRUNC) return false;
  term cut = term_arg (p, t, 0);
  *x = term_arg (p, cut, 0);
  *mask = term_mask (term_bits (p, cut));
  return term_bits (p, *x) == term_bits (p, t);
}

static term or_masked (term_pool *p, term a, term b) {
  term x, y;
  ir_value m, n;
  if (!is_masked (p, a, &x, &m) || !is_masked (p, b, &y, &n) || !term_same (x, y)) return TERM_NONE;
  return term_and (p, x, term_const_like (p, x, m | n));
}

// Rewrites a | b if a or its complement is an operand of b.
static term or_absorbs (term_pool *p, term a, term b) {
  ir_expr_op op = term_op (p, b);
  if (op != IR_X_AND && op != IR_X_OR) return TERM_NONE;
  term x = term_arg (p, b, 0), y = term_arg (p, b, 1);
  if (term_same (a, x) || term_same (a, y)) return op == IR_X_AND ? a : b;
  if (!term_opposite (p, a, x) && !term_opposite (p, a, y)) return TERM_NONE;
  if (op == IR_X_OR) return term_const_like (p, a, ~(ir_value) 0);
  return term_or (p, a, term_opposite (p, a, x) ? y : x);
}

term rewrite_or (term_pool *p, term x, term y) {
  unsigned bits = term_bits (p, x);
  term z;
  ir_value c;
  if (bits == 1) return term_not (p, term_and (p, term_not (p, x), term_not (p, y)));
  if (term_same (x, y) || term_is (p, y, 0)) return x;
  if (term_is_ones (p, y)) return y;
  if (term_opposite (p, x, y)) return term_const (p, bits, ~(ir_value) 0);
  if (term_is_const (p, y)) {
    if (!(term_value (p, y) & ~known_min (p, x))) return x;  // these bits are set already
    if (term_is_op_const (p, x, IR_X_OR, &z, &c)) return term_or (p, z, term_const (p, bits, c | term_value (p, y)));
    return TERM_NONE;
  }
  static term_rule *const rules[] = {or_join, or_absorbs, or_masked};
  z = first_of (p, rules, 3, x, y);
  return term_is_some (z) ? z : first_of (p, rules, 2, y, x);
}

// ---- XOR ---------------------------------------------------------------------------------------------------------

// Rewrites a ^ b if b is an operand of a, and moves a constant of a outwards.
static term xor_cancels (term_pool *p, term a, term b) {
  if (term_op (p, a) != IR_X_XOR) return TERM_NONE;
  term x = term_arg (p, a, 0), y = term_arg (p, a, 1);
  if (term_same (x, b)) return y;
  if (term_same (y, b)) return x;
  return term_is_const (p, y) ? term_binary (p, IR_X_XOR, term_binary (p, IR_X_XOR, x, b), y) : TERM_NONE;
}

term rewrite_xor (term_pool *p, term x, term y) {
  term z;
  ir_value c;
  if (term_is (p, y, 0)) return x;
  if (term_same (x, y)) return term_const_like (p, x, 0);
  if (term_opposite (p, x, y)) return term_const_like (p, x, ~(ir_value) 0);
  if (term_is_const (p, y)) {
    if (!term_is_op_const (p, x, IR_X_XOR, &z, &c)) return TERM_NONE;
    return term_binary (p, IR_X_XOR, z, term_const_like (p, x, c ^ term_value (p, y)));
  }
  z = xor_cancels (p, x, y);
  return term_is_some (z) ? z : xor_cancels (p, y, x);
}
