// Rules for ADD, SUB, MUL.  Constants move outwards, (x + 1) + (y + 2) is (x + y) + 3, so that they can be combined;
// subtracting a constant is adding its negation.
#include "encode/encode_impl.h"

// Is t of the form x + c: an addition of a constant, or an OR with a constant that would cause no carry?
static bool is_add_const (const term_pool *p, term t, term *x, ir_value *c) {
  if (term_is_op_const (p, t, IR_X_ADD, x, c)) return true;
  return term_is_op_const (p, t, IR_X_OR, x, c) && term_knows_zero (p, *x, *c);
}

static bool is_const_sub (const term_pool *p, term t, ir_value *c, term *x) {
  if (term_op (p, t) != IR_X_SUB || !term_is_const (p, term_arg (p, t, 0))) return false;
  *c = term_value (p, term_arg (p, t, 0));
  *x = term_arg (p, t, 1);
  return true;
}

static term add_const (term_pool *p, term x, ir_value c) { return term_add (p, x, term_const_like (p, x, c)); }
static term const_sub (term_pool *p, ir_value c, term x) { return term_sub (p, term_const_like (p, x, c), x); }

// ---- ADD ---------------------------------------------------------------------------------------------------------

static term add_to_const (term_pool *p, term x, ir_value c) {
  term z;
  ir_value d;
  if (!c) return x;
  if (is_add_const (p, x, &z, &d)) return add_const (p, z, c + d);
  if (is_const_sub (p, x, &d, &z)) return const_sub (p, c + d, z);
  return TERM_NONE;
}

// Rewrites a + b if a contains a constant or the complement of b.
static term add_outwards (term_pool *p, term a, term b) {
  term z;
  ir_value c;
  if (term_is_op_const (p, a, IR_X_ADD, &z, &c)) return add_const (p, term_add (p, z, b), c);
  if (term_op (p, a) != IR_X_SUB) return TERM_NONE;
  if (term_same (term_arg (p, a, 1), b)) return term_arg (p, a, 0);
  if (is_const_sub (p, a, &c, &z)) return add_const (p, term_sub (p, b, z), c);
  return TERM_NONE;
}

term rewrite_add (term_pool *p, term x, term y) {
  if (term_bits (p, x) == 1) return term_compare (p, IR_X_XOR, x, y);
  if (term_is_const (p, y)) return add_to_const (p, x, term_value (p, y));
  if (term_same (x, y)) return term_binary (p, IR_X_SHL, x, term_const_like (p, x, 1));
  term r = add_outwards (p, x, y);
  return term_is_some (r) ? r : add_outwards (p, y, x);
}

// ---- SUB ---------------------------------------------------------------------------------------------------------

static term sub_from_const (term_pool *p, ir_value c, term y) {
  term z;
  ir_value d;
  if (is_add_const (p, y, &z, &d)) return const_sub (p, c - d, z);
  if (is_const_sub (p, y, &d, &z)) return add_const (p, z, c - d);
  return TERM_NONE;
}

term rewrite_sub (term_pool *p, term x, term y) {
  term z;
  ir_value c;
  if (term_bits (p, x) == 1) return term_compare (p, IR_X_XOR, x, y);
  if (term_same (x, y)) return term_const_like (p, x, 0);
  if (term_is_const (p, y)) return add_const (p, x, -term_value (p, y));
  if (term_is_const (p, x)) return sub_from_const (p, term_value (p, x), y);
  if (term_is_op_const (p, x, IR_X_ADD, &z, &c)) return add_const (p, term_sub (p, z, y), c);
  if (term_is_op_const (p, y, IR_X_ADD, &z, &c)) return add_const (p, term_sub (p, x, z), -c);
  if (term_op (p, x) == IR_X_ADD) {
    if (term_same (term_arg (p, x, 0), y)) return term_arg (p, x, 1);
    if (term_same (term_arg (p, x, 1), y)) return term_arg (p, x, 0);
  }
  return TERM_NONE;
}

// ---- MUL ---------------------------------------------------------------------------------------------------------

static term mul_by_const (term_pool *p, term x, ir_value c) {
  unsigned bits = term_bits (p, x);
  term z;
  ir_value d;
  if (!c) return term_const (p, bits, 0);
  if (c == 1) return x;
  if (c == term_mask (bits)) return const_sub (p, 0, x);
  if (term_is_op_const (p, x, IR_X_MUL, &z, &d)) return term_binary (p, IR_X_MUL, z, term_const (p, bits, c * d));
  if (c & (c - 1)) return TERM_NONE;
  return term_binary (p, IR_X_SHL, x, term_const (p, bits, term_width_of (c) - 1));
}

term rewrite_mul (term_pool *p, term x, term y) {
  if (term_bits (p, x) == 1) return term_and (p, x, y);
  return term_is_const (p, y) ? mul_by_const (p, x, term_value (p, y)) : TERM_NONE;
}
