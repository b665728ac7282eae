// Shadows: which bits of a value are undefined.
//
// The rules are those of Memcheck (Seward and Nethercote, "Using Valgrind to detect undefined value errors with
// bit-precision", USENIX 2005, section 2.3) and, for comparisons, of MemorySanitizer (Stepanov and Serebryany, CGO
// 2015): a set bit of the shadow may depend on a value that was never written, a clear bit does not.  The rules are
// exact for each operator by itself, except for carries (all bits above the lowest undefined bit are undefined),
// products, quotients and floats.  A value that is used twice is assigned to a register, so that shadows do not double
// in size with each operator.
#include "ir/uninit_impl.h"

static ir_expr zero_shadow (uninit *u, unsigned bits) { return ir_const (u->p, bits, 0); }
static ir_expr ones_constant (uninit *u, unsigned bits) { return ir_const (u->p, bits, ir_mask (bits)); }
static ir_expr shadow_binary (uninit *u, ir_expr_op op, ir_expr x, ir_expr y) { return ir_binary (u->p, op, x, y); }
static ir_expr inverse (uninit *u, ir_expr x) {
  return shadow_binary (u, IR_X_XOR, x, ones_constant (u, uninit_bits (u, x)));
}

static bool is_zero_shadow (const uninit *u, ir_expr x) {
  const ir_expr_node *n = ir_expr_at (u->p, x);
  return n->op == IR_X_CONST && !n->value;
}

static ir_expr any (uninit *u, ir_expr shadow) {
  return shadow_binary (u, IR_X_NE, shadow, zero_shadow (u, uninit_bits (u, shadow)));
}

// Returns `bits` bits, all set if any bit of the shadow is set, else all clear.
static ir_expr all_if_any (uninit *u, ir_expr shadow, unsigned bits) {
  return ir_unary (u->p, IR_X_SEXT, bits, any (u, shadow));
}

// ---- operators -----------------------------------------------------------------------------------------

// Returns the union of the shadows of all terms of a sum.
static ir_expr union_of_sum (uninit *u, ir_expr x) {
  ir_expr_node n = *ir_expr_at (u->p, x);
  if (n.op != IR_X_ADD && n.op != IR_X_SUB && n.op != IR_X_MUL) return uninit_shadow (u, x);
  ir_expr left = union_of_sum (u, n.arg[0]), right = union_of_sum (u, n.arg[1]);
  return shadow_binary (u, IR_X_OR, left, right);
}

// Returns the lowest undefined bit and all bits above it: s | -s.
static ir_expr shadow_of_sum (uninit *u, ir_expr x) {
  ir_expr s = uninit_hold (u, union_of_sum (u, x));
  return shadow_binary (u, IR_X_OR, s, shadow_binary (u, IR_X_SUB, zero_shadow (u, uninit_bits (u, s)), s));
}

// A defined 0 determines an AND, a defined 1 an OR.
static ir_expr shadow_of_and_or (uninit *u, const ir_expr_node *n) {
  ir_expr x = n->arg[0], y = n->arg[1];
  ir_expr s = uninit_hold (u, uninit_shadow (u, x)), t = uninit_hold (u, uninit_shadow (u, y));
  if (n->op == IR_X_OR) x = inverse (u, x), y = inverse (u, y);
  ir_expr one = shadow_binary (u, IR_X_OR, shadow_binary (u, IR_X_AND, s, t), shadow_binary (u, IR_X_AND, s, y));
  return shadow_binary (u, IR_X_OR, one, shadow_binary (u, IR_X_AND, t, x));
}

// A difference in a bit that is defined on both sides determines the result.
static ir_expr shadow_of_equality (uninit *u, const ir_expr_node *n) {
  ir_expr s = uninit_hold (u, shadow_binary (u, IR_X_OR, uninit_shadow (u, n->arg[0]), uninit_shadow (u, n->arg[1])));
  if (is_zero_shadow (u, s)) return zero_shadow (u, 1);
  ir_expr differ = shadow_binary (u, IR_X_AND, shadow_binary (u, IR_X_XOR, n->arg[0], n->arg[1]), inverse (u, s));
  return shadow_binary (u, IR_X_AND, any (u, s), inverse (u, any (u, differ)));
}

// The result is defined if comparing the least left with the greatest right operand gives the same result as comparing
// the greatest left with the least right operand, where undefined bits may be 0 or 1.
static ir_expr shadow_of_order (uninit *u, const ir_expr_node *n) {
  ir_expr s = uninit_hold (u, uninit_shadow (u, n->arg[0])), t = uninit_hold (u, uninit_shadow (u, n->arg[1]));
  if (is_zero_shadow (u, s) && is_zero_shadow (u, t)) return zero_shadow (u, 1);
  ir_expr x = n->arg[0], y = n->arg[1];
  ir_expr_op op = n->op == IR_X_SLT || n->op == IR_X_ULT ? IR_X_ULT : IR_X_ULE;
  if (n->op == IR_X_SLT || n->op == IR_X_SLE) {  // with the sign bit inverted, the order is that of unsigned numbers
    unsigned bits = uninit_bits (u, x);
    ir_expr sign = ir_const (u->p, bits, (ir_value) 1 << (bits - 1));
    x = shadow_binary (u, IR_X_XOR, x, sign), y = shadow_binary (u, IR_X_XOR, y, sign);
  }
  ir_expr least_x = shadow_binary (u, IR_X_AND, x, inverse (u, s)), greatest_x = shadow_binary (u, IR_X_OR, x, s);
  ir_expr least_y = shadow_binary (u, IR_X_AND, y, inverse (u, t)), greatest_y = shadow_binary (u, IR_X_OR, y, t);
  return shadow_binary (u, IR_X_XOR, shadow_binary (u, op, least_x, greatest_y),
                        shadow_binary (u, op, greatest_x, least_y));
}

static ir_expr shadow_of_shift (uninit *u, const ir_expr_node *n) {
  ir_expr by = uninit_shadow (u, n->arg[1]), moved = shadow_binary (u, n->op, uninit_shadow (u, n->arg[0]), n->arg[1]);
  return shadow_binary (u, IR_X_OR, moved, all_if_any (u, by, n->bits));
}

// For an undefined condition: the bits in which the branches differ or are undefined themselves.
static ir_expr shadow_of_choice (uninit *u, const ir_expr_node *n) {
  ir_expr c = uninit_hold (u, uninit_shadow (u, n->arg[0]));
  ir_expr s = uninit_hold (u, uninit_shadow (u, n->arg[1])), t = uninit_hold (u, uninit_shadow (u, n->arg[2]));
  ir_expr chosen = ir_ite (u->p, n->arg[0], s, t);
  if (is_zero_shadow (u, c)) return chosen;
  ir_expr differ = shadow_binary (u, IR_X_XOR, n->arg[1], n->arg[2]);
  ir_expr either = all_if_any (u, shadow_binary (u, IR_X_OR, differ, shadow_binary (u, IR_X_OR, s, t)), n->bits);
  return ir_ite (u->p, c, either, chosen);
}

// Any undefined bit makes all of the result undefined.
static ir_expr shadow_of_function (uninit *u, const ir_expr_node *n) {
  ir_expr any_bit = zero_shadow (u, 1);
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++)
    any_bit = shadow_binary (u, IR_X_OR, any_bit, any (u, uninit_shadow (u, n->arg[k])));
  return ir_unary (u->p, IR_X_SEXT, n->bits, any_bit);
}

static ir_expr shadow_of_reg (uninit *u, const ir_expr_node *n) {
  ir_reg s = u->shadows[uninit_reg (u, u->proc, n->reg)];
  return s.i == IR_NONE ? zero_shadow (u, n->bits) : ir_use (u->p, u->proc, s);
}

ir_expr uninit_shadow (uninit *u, ir_expr x) {
  ir_expr_node n = *ir_expr_at (u->p, x);
  if (uninit_origin (u, u->proc, x) == ORIGIN_NONE) return zero_shadow (u, n.bits);
  switch (n.op) {
  case IR_X_REG: return shadow_of_reg (u, &n);
  case IR_X_ZEXT:
  case IR_X_SEXT:
  case IR_X_TRUNC:
  case IR_X_BSWAP:
  case IR_X_BITREV: return ir_unary (u->p, n.op, n.bits, uninit_shadow (u, n.arg[0]));
  case IR_X_XOR: return shadow_binary (u, IR_X_OR, uninit_shadow (u, n.arg[0]), uninit_shadow (u, n.arg[1]));
  case IR_X_ADD:
  case IR_X_SUB:
  case IR_X_MUL: return shadow_of_sum (u, x);
  case IR_X_AND:
  case IR_X_OR: return shadow_of_and_or (u, &n);
  case IR_X_SHL:
  case IR_X_LSHR:
  case IR_X_ASHR: return shadow_of_shift (u, &n);
  case IR_X_EQ:
  case IR_X_NE: return shadow_of_equality (u, &n);
  case IR_X_ULT:
  case IR_X_ULE:
  case IR_X_SLT:
  case IR_X_SLE: return shadow_of_order (u, &n);
  case IR_X_ITE: return shadow_of_choice (u, &n);
  default: return shadow_of_function (u, &n);
  }
}

static bool loses_no_bits (ir_expr_op op) {
  return op == IR_X_ZEXT || op == IR_X_SEXT || op == IR_X_BSWAP || op == IR_X_BITREV;
}

// Tests the union of the shadows: since only the question whether a bit is undefined matters, no carry is needed.
ir_expr uninit_defined (uninit *u, ir_expr x) {
  while (loses_no_bits (ir_expr_at (u->p, x)->op)) x = ir_expr_at (u->p, x)->arg[0];
  ir_expr s = union_of_sum (u, x);
  return shadow_binary (u, IR_X_EQ, s, zero_shadow (u, uninit_bits (u, s)));
}
