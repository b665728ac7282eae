// Known bits: which bits of an operator's value follow from the known bits of its operands.
//
// Known bits are computed once, when a term is created; they are a cheap approximation of ranges.  Addition computes
// the two extreme sums: if the least and the greatest possible operands produce the same carry into a bit whose
// operands are known, the bit is known.
#include "encode/encode_impl.h"

static const term_known nothing;

static term_known known_of (const term_pool *p, term t) { return p->known.data[t.i]; }

static term_known known_logic (ir_expr_op op, term_known a, term_known b) {
  switch (op) {
  case IR_X_AND: return (term_known){.zeros = a.zeros | b.zeros, .ones = a.ones & b.ones};
  case IR_X_OR: return (term_known){.zeros = a.zeros & b.zeros, .ones = a.ones | b.ones};
  default:
    return (term_known){.zeros = (a.zeros & b.zeros) | (a.ones & b.ones),
                        .ones = (a.zeros & b.ones) | (a.ones & b.zeros)};
  }
}

// Known bits of a + b + carry, where carry is 0 or 1.
static term_known known_sum (unsigned bits, term_known a, term_known b, ir_value carry) {
  ir_value mask = term_mask (bits), greatest = (~a.zeros & mask) + (~b.zeros & mask) + carry,
           least = a.ones + b.ones + carry;
  ir_value carries_zero = ~(greatest ^ a.zeros ^ b.zeros), carries_one = least ^ a.ones ^ b.ones;
  ir_value fixed = (a.zeros | a.ones) & (b.zeros | b.ones) & (carries_zero | carries_one) & mask;
  return (term_known){.zeros = ~greatest & fixed, .ones = least & fixed};
}

static term_known known_difference (unsigned bits, term_known a, term_known b) {
  return known_sum (bits, a, (term_known){.zeros = b.ones, .ones = b.zeros}, 1);
}

static unsigned known_trailing_zeros (unsigned bits, term_known a) {
  unsigned n = 0;
  while (n < bits && a.zeros >> n & 1) n++;
  return n;
}

static unsigned known_leading_zeros (unsigned bits, term_known a) {
  unsigned n = 0;
  while (n < bits && a.zeros >> (bits - 1 - n) & 1) n++;
  return n;
}

static ir_value top_bits (unsigned bits, unsigned n) { return n ? term_mask (bits) & ~term_mask (bits - n) : 0; }

static term_known known_product (unsigned bits, term_known a, term_known b) {
  unsigned low = known_trailing_zeros (bits, a) + known_trailing_zeros (bits, b),
           high = known_leading_zeros (bits, a) + known_leading_zeros (bits, b);
  return (term_known){.zeros = term_mask (low < bits ? low : bits) | (high > bits ? top_bits (bits, high - bits) : 0)};
}

// Known bits of a shift by a constant.
static term_known known_shift (ir_expr_op op, unsigned bits, term_known a, unsigned n) {
  ir_value mask = term_mask (bits);
  if (op == IR_X_SHL) return (term_known){.zeros = (a.zeros << n | term_mask (n)) & mask, .ones = a.ones << n & mask};
  term_known r = {.zeros = a.zeros >> n, .ones = a.ones >> n};
  if (op == IR_X_LSHR || a.zeros >> (bits - 1) & 1) r.zeros |= top_bits (bits, n);
  else if (a.ones >> (bits - 1) & 1) r.ones |= top_bits (bits, n);
  return r;
}

// Known bits of a shift by an unknown amount: zeros at the end from which the bits move away stay zero.
static term_known known_variable_shift (ir_expr_op op, unsigned bits, term_known a) {
  if (op == IR_X_SHL) return (term_known){.zeros = term_mask (known_trailing_zeros (bits, a))};
  return (term_known){.zeros =
                          // ashr of a value that may be negative: no bit is known
                      top_bits (bits, known_leading_zeros (bits, a))};
}

static term_known known_extension (ir_expr_op op, unsigned bits, unsigned from, term_known a) {
  ir_value above = term_mask (bits) & ~term_mask (from);
  if (op == IR_X_ZEXT || a.zeros >> (from - 1) & 1) a.zeros |= above;
  else if (a.ones >> (from - 1) & 1) a.ones |= above;
  return a;
}

// Known bits of a result that is at most `most`.
static term_known known_bound (unsigned bits, ir_value most) {
  return (term_known){.zeros = term_mask (bits) & ~term_mask (term_width_of (most))};
}

// Known bits of x % y, which is at most x, and less than y unless y is 0.
static term_known known_remainder (const term_pool *p, const term_node *n) {
  ir_value most = known_max (p, n->arg[0]), divisor = known_max (p, n->arg[1]);
  if (known_min (p, n->arg[1]) && divisor - 1 < most) most = divisor - 1;
  return known_bound (n->bits, most);
}

term_known known_of_op (const term_pool *p, const term_node *n) {
  unsigned bits = n->bits, arity = ir_expr_arity (n->op);
  term_known a = arity > 0 ? known_of (p, n->arg[0]) : nothing, b = arity > 1 ? known_of (p, n->arg[1]) : nothing;
  switch (n->op) {
  case IR_X_AND:
  case IR_X_OR:
  case IR_X_XOR: return known_logic (n->op, a, b);
  case IR_X_ADD: return known_sum (bits, a, b, 0);
  case IR_X_SUB: return known_difference (bits, a, b);
  case IR_X_MUL: return known_product (bits, a, b);
  case IR_X_UDIV:
    return known_min (p, n->arg[1]) ? known_bound (bits, known_max (p, n->arg[0]) / known_min (p, n->arg[1])) : nothing;
  case IR_X_UREM: return known_remainder (p, n);
  case IR_X_SHL:
  case IR_X_LSHR:
  case IR_X_ASHR:
    if (!term_is_const (p, n->arg[1])) return known_variable_shift (n->op, bits, a);
    return term_value (p, n->arg[1]) < bits ? known_shift (n->op, bits, a, (unsigned) term_value (p, n->arg[1]))
                                            : nothing;
  case IR_X_ITE: {
    term_known c = known_of (p, n->arg[2]);
    return (term_known){.zeros = b.zeros & c.zeros, .ones = b.ones & c.ones};
  }
  case IR_X_ZEXT:
  case IR_X_SEXT: return known_extension (n->op, bits, term_bits (p, n->arg[0]), a);
  case IR_X_TRUNC: return (term_known){.zeros = a.zeros & term_mask (bits), .ones = a.ones & term_mask (bits)};
  case IR_X_CTPOP:
  case IR_X_CTLZ:
  case IR_X_CTTZ: return known_bound (bits, bits);
  default: return nothing;
  }
}
