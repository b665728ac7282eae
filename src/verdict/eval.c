// Evaluates expressions, node by node.  The interpreter has an evaluator of its own on purpose: it checks the constant
// folding of src/ir and the arithmetic of every engine, so it shares no code with them.  All values are computed in 128
// bits and cut to the width of the node; x/0 is all ones and x%0 is x, as ir.h says.
#include "verdict/verdict_impl.h"

static ir_value divide_signed (unsigned bits, ir_value l, ir_value r) {
  if (!r) return ~(ir_value) 0;
  __int128 x = value_signed (l, bits), y = value_signed (r, bits);
  return y == -1 ? -l : (ir_value) (x / y);
}

static ir_value remainder_of (unsigned bits, ir_value l, ir_value r) {
  if (!r) return l;
  __int128 x = value_signed (l, bits), y = value_signed (r, bits);
  return y == -1 ? 0 : (ir_value) (x % y);
}

static ir_value shift_right_signed (unsigned bits, ir_value l, ir_value r) {
  return (ir_value) (value_signed (l, bits) >> (r < bits ? (unsigned) r : bits - 1));
}

// Whether the exact result of the operation lies outside the signed numbers of this width.
static bool signed_overflows (ir_expr_op op, unsigned bits, ir_value l, ir_value r) {
  __int128 x = value_signed (l, bits), y = value_signed (r, bits), result;
  bool wide = op == IR_X_SADDO   ? __builtin_add_overflow (x, y, &result)
              : op == IR_X_SSUBO ? __builtin_sub_overflow (x, y, &result)
                                 : __builtin_mul_overflow (x, y, &result);
  return wide || value_signed ((ir_value) result & value_mask (bits), bits) != result;
}

static bool unsigned_overflows (ir_expr_op op, unsigned bits, ir_value l, ir_value r) {
  ir_value result;
  bool wide = op == IR_X_UADDO   ? __builtin_add_overflow (l, r, &result)
              : op == IR_X_USUBO ? __builtin_sub_overflow (l, r, &result)
                                 : __builtin_mul_overflow (l, r, &result);
  return wide || result > value_mask (bits);
}

static unsigned count_ones (ir_value v) {
  return (unsigned) (__builtin_popcountll ((uint64_t) v) + __builtin_popcountll ((uint64_t) (v >> 64)));
}

static unsigned count_leading_zeros (unsigned bits, ir_value v) {
  unsigned n = 0;
  while (n < bits && !(v >> (bits - 1 - n) & 1)) n++;
  return n;
}

static unsigned count_trailing_zeros (unsigned bits, ir_value v) {
  unsigned n = 0;
  while (n < bits && !(v >> n & 1)) n++;
  return n;
}

// Reverses the order of pieces of `piece` bits.
static ir_value reverse_pieces (unsigned bits, unsigned piece, ir_value v) {
  ir_value result = 0;
  for (unsigned at = 0; at + piece <= bits; at += piece)
    result |= (v >> at & value_mask (piece)) << (bits - piece - at);
  return result;
}

uint64_t address_of_static (const action *a, ir_object o, uint32_t offset) {
  const ir_program *p = a->m->program;
  uint64_t number = o.i;
  if (ir_object_at (p, o)->kind == IR_O_THREAD_LOCAL) {
    uint32_t k = 0;
    while (a->m->thread_locals.data[k] != o.i) k++;
    number = object_number (p, a->t->slot, a->t->first_local + k);
  }
  return address_make (p, number, offset);
}

static ir_value unary_value (ir_expr_op op, unsigned bits, unsigned operand_bits, ir_value v) {
  switch (op) {
  case IR_X_ZEXT:
  case IR_X_TRUNC: return v;
  case IR_X_SEXT: return (ir_value) value_signed (v, operand_bits);
  case IR_X_CTPOP: return count_ones (v);
  case IR_X_CTLZ: return count_leading_zeros (operand_bits, v);
  case IR_X_CTTZ: return count_trailing_zeros (operand_bits, v);
  case IR_X_BSWAP: return reverse_pieces (operand_bits, 8, v);
  case IR_X_BITREV: return reverse_pieces (operand_bits, 1, v);
  default: return eval_float (op, bits, operand_bits, v, 0);
  }
}

static ir_value binary_value (ir_expr_op op, unsigned bits, unsigned operand_bits, ir_value l, ir_value r) {
  switch (op) {
  case IR_X_ADD: return l + r;
  case IR_X_SUB: return l - r;
  case IR_X_MUL: return l * r;
  case IR_X_UDIV: return r ? l / r : ~(ir_value) 0;
  case IR_X_SDIV: return divide_signed (bits, l, r);
  case IR_X_UREM: return r ? l % r : l;
  case IR_X_SREM: return remainder_of (bits, l, r);
  case IR_X_SHL: return r < bits ? l << (unsigned) r : 0;
  case IR_X_LSHR: return r < bits ? l >> (unsigned) r : 0;
  case IR_X_ASHR: return shift_right_signed (bits, l, r);
  case IR_X_AND: return l & r;
  case IR_X_OR: return l | r;
  case IR_X_XOR: return l ^ r;
  case IR_X_EQ: return l == r;
  case IR_X_NE: return l != r;
  case IR_X_ULT: return l < r;
  case IR_X_ULE: return l <= r;
  case IR_X_SLT: return value_signed (l, operand_bits) < value_signed (r, operand_bits);
  case IR_X_SLE: return value_signed (l, operand_bits) <= value_signed (r, operand_bits);
  case IR_X_SADDO:
  case IR_X_SSUBO:
  case IR_X_SMULO: return signed_overflows (op, operand_bits, l, r);
  case IR_X_UADDO:
  case IR_X_USUBO:
  case IR_X_UMULO: return unsigned_overflows (op, operand_bits, l, r);
  default: return eval_float (op, bits, operand_bits, l, r);
  }
}

ir_value eval (const action *a, ir_expr x) {
  const ir_expr_node *nodes = a->m->program->exprs.data, *n = &nodes[x.i];
  switch (n->op) {
  case IR_X_CONST: return n->value;
  case IR_X_REG: return a->regs[n->reg.i];
  case IR_X_ADDR: return address_of_static (a, n->object, n->offset) & value_mask (n->bits);
  case IR_X_ITE: return eval (a, n->arg[eval (a, n->arg[0]) & 1 ? 1 : 2]);
  default: break;
  }
  unsigned operand_bits = nodes[n->arg[0].i].bits;
  ir_value l = eval (a, n->arg[0]);
  ir_value result = ir_expr_arity (n->op) == 1 ? unary_value (n->op, n->bits, operand_bits, l)
                                               : binary_value (n->op, n->bits, operand_bits, l, eval (a, n->arg[1]));
  return result & value_mask (n->bits);
}
