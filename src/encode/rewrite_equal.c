// Rules for EQ.  If one side is a constant, invertible operators are inverted, concatenations are compared part by
// part, and choices with a constant branch become conditions, so that comparing a chain of choices between constants
// yields conditions only.
#include "encode/encode_impl.h"

static bool are_known_to_differ (const term_pool *p, term a, term b) {
  term_known x = term_known_bits (p, a), y = term_known_bits (p, b);
  return (x.zeros & y.ones) || (x.ones & y.zeros);
}

static term eq_const (term_pool *p, term x, ir_value c) { return term_eq (p, x, term_const_like (p, x, c)); }

// ---- one side is a constant ----------------------------------------------------------------------------------------

// Rewrites ite (q, v, w) == c if one branch is known to be equal or different.
static term eq_choice_const (term_pool *p, term x, term c) {
  term_node n = *term_at (p, x);
  for (unsigned k = 1; k <= 2; k++) {
    term other = n.arg[3 - k];
    term not_here = k == 1 ? term_not (p, n.arg[0]) : n.arg[0];
    if (are_known_to_differ (p, n.arg[k], c)) return term_and (p, not_here, term_eq (p, other, c));
    if (term_same (n.arg[k], c)) return term_not (p, term_and (p, not_here, term_not (p, term_eq (p, other, c))));
  }
  return TERM_NONE;
}

// Compares the narrow word of an extension.  For a zero extension, constants outside its range have been found to
// differ already.
static term eq_extension_const (term_pool *p, ir_expr_op op, term x, ir_value c, unsigned bits) {
  unsigned from = term_bits (p, x);
  ir_value low = c & term_mask (from);
  if (ir_eval_op (op, bits, from, (ir_value[3]){low}) != c) return p->falsity;
  return eq_const (p, x, low);
}

static term eq_binary_const (term_pool *p, term_node n, ir_value c) {
  unsigned bits = n.bits;
  if (n.op == IR_X_SUB && term_is_const (p, n.arg[0])) return eq_const (p, n.arg[1], term_value (p, n.arg[0]) - c);
  if ((n.op == IR_X_SUB || n.op == IR_X_XOR) && !c && !term_is_const (p, n.arg[1]))
    return term_eq (p, n.arg[0], n.arg[1]);
  if (!term_is_const (p, n.arg[1])) return TERM_NONE;
  ir_value d = term_value (p, n.arg[1]);
  switch (n.op) {
  case IR_X_ADD: return eq_const (p, n.arg[0], c - d);
  case IR_X_XOR: return eq_const (p, n.arg[0], c ^ d);
  case IR_X_SHL:
    return d < bits ? eq_const (p, rewrite_extract (p, n.arg[0], 0, bits - (unsigned) d), c >> d) : TERM_NONE;
  case IR_X_LSHR:
    return d < bits ? eq_const (p, rewrite_extract (p, n.arg[0], (unsigned) d, bits - (unsigned) d), c) : TERM_NONE;
  default: return TERM_NONE;
  }
}

static term eq_with_const (term_pool *p, term x, term y) {
  term_node n = *term_at (p, x);
  ir_value c = term_value (p, y);
  term high, low;
  if (n.bits == 1) return c ? x : term_not (p, x);
  if (n.op == IR_X_ITE) return eq_choice_const (p, x, y);
  if (n.op == IR_X_ZEXT || n.op == IR_X_SEXT) return eq_extension_const (p, n.op, n.arg[0], c, n.bits);
  if (term_is_concat (p, x, &high, &low))
    return term_and (p, eq_const (p, high, c >> term_bits (p, low)), eq_const (p, low, c));
  return ir_expr_arity (n.op) == 2 ? eq_binary_const (p, n, c) : TERM_NONE;
}

// ---- two terms -----------------------------------------------------------------------------------------------------

// Rewrites a == b if b is an operand of a.
static term eq_inside (term_pool *p, term a, term b) {
  term_node n = *term_at (p, a);
  if (n.op == IR_X_ADD && term_same (n.arg[0], b)) return eq_const (p, n.arg[1], 0);
  if (n.op == IR_X_ADD && term_same (n.arg[1], b)) return eq_const (p, n.arg[0], 0);
  if (n.op == IR_X_ITE && term_same (n.arg[1], b)) return term_or (p, n.arg[0], term_eq (p, n.arg[2], b));
  if (n.op == IR_X_ITE && term_same (n.arg[2], b)) return term_or (p, term_not (p, n.arg[0]), term_eq (p, n.arg[1], b));
  return TERM_NONE;
}

// Rewrites a == b if both have the same operator and a common operand, or are extended in the same way.
static term eq_parallel (term_pool *p, term a, term b) {
  term x, y, v, w;
  ir_value c, d;
  ir_expr_op op = term_op (p, a);
  if (op == term_op (p, b) && (op == IR_X_ZEXT || op == IR_X_SEXT)) {
    x = term_arg (p, a, 0), y = term_arg (p, b, 0);
    return term_bits (p, x) == term_bits (p, y) ? term_eq (p, x, y) : TERM_NONE;
  }
  if (term_is_op_const (p, a, IR_X_ADD, &x, &c) && term_is_op_const (p, b, IR_X_ADD, &y, &d))
    return term_eq (p, term_add (p, x, term_const_like (p, x, c - d)), y);
  if (term_is_concat (p, a, &x, &y) && term_is_concat (p, b, &v, &w) && term_bits (p, x) == term_bits (p, v) &&
      term_bits (p, y) == term_bits (p, w))
    return term_and (p, term_eq (p, x, v), term_eq (p, y, w));
  return TERM_NONE;
}

term rewrite_eq (term_pool *p, term x, term y) {
  if (term_same (x, y)) return p->truth;
  if (are_known_to_differ (p, x, y)) return p->falsity;
  if (term_is_const (p, y)) return eq_with_const (p, x, y);
  if (term_bits (p, x) == 1) return term_not (p, term_compare (p, IR_X_XOR, x, y));
  term r = eq_inside (p, x, y);
  if (!term_is_some (r)) r = eq_inside (p, y, x);
  return term_is_some (r) ? r : eq_parallel (p, x, y);
}
