// Expressions: one node per distinct expression of the program (hash-consing), so equal expressions have equal indices,
// and substitution can cache its results per node.  The constructors fold (ir_fold.c), then intern the node.
#include "base/diag.h"
#include "base/hash.h"
#include "ir/ir_impl.h"

// Clears the fields that the operator does not have, so that equal nodes have equal bytes.
static ir_expr_node normal_form (const ir_expr_node *n) {
  ir_expr_node r = {.op = n->op, .bits = n->bits, .arg = {{IR_NONE}, {IR_NONE}, {IR_NONE}}};
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) r.arg[k] = n->arg[k];
  switch (n->op) {
  case IR_X_CONST: r.value = n->value & ir_mask (n->bits); break;
  case IR_X_REG: r.reg = n->reg; break;
  case IR_X_ADDR: r.object = n->object, r.offset = n->offset; break;
  case IR_X_ADD:
  case IR_X_SUB:
  case IR_X_MUL:
  case IR_X_SHL: r.nsw = n->nsw, r.nuw = n->nuw; break;
  default: break;
  }
  return r;
}

static uint64_t expr_node_hash (const ir_expr_node *n) {
  uint64_t h = hash_pair (n->op, (uint64_t) n->bits << 2 | (uint64_t) n->nsw << 1 | n->nuw);
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) h = hash_pair (h, n->arg[k].i);
  switch (n->op) {
  case IR_X_CONST: return hash_pair (hash_pair (h, (uint64_t) n->value), (uint64_t) (n->value >> 64));
  case IR_X_REG: return hash_pair (h, n->reg.i);
  case IR_X_ADDR: return hash_pair (h, (uint64_t) n->object.i << 32 | n->offset);
  default: return h;
  }
}

static bool same_node (const ir_expr_node *a, const ir_expr_node *b) {
  if (a->op != b->op || a->bits != b->bits || a->nsw != b->nsw || a->nuw != b->nuw) return false;
  for (unsigned k = 0; k < ir_expr_arity (a->op); k++)
    if (a->arg[k].i != b->arg[k].i) return false;
  switch (a->op) {
  case IR_X_CONST: return a->value == b->value;
  case IR_X_REG: return a->reg.i == b->reg.i;
  case IR_X_ADDR: return a->object.i == b->object.i && a->offset == b->offset;
  default: return true;
  }
}

// Can this operation itself (not an operand) violate --property=overflow?
static bool operation_can_fail (const ir_program *p, const ir_expr_node *n) {
  switch (n->op) {
  case IR_X_ADD:
  case IR_X_SUB:
  case IR_X_MUL: return n->nsw;
  case IR_X_UDIV:
  case IR_X_UREM: return !ir_is_const (p, n->arg[1]) || !ir_expr_at (p, n->arg[1])->value;
  case IR_X_SDIV:
  case IR_X_SREM:
    return !ir_is_const (p, n->arg[1]) || !ir_expr_at (p, n->arg[1])->value ||
           ir_expr_at (p, n->arg[1])->value == ir_mask (n->bits);
  case IR_X_SHL:
  case IR_X_LSHR:
  case IR_X_ASHR: return n->nsw || !ir_is_const (p, n->arg[1]) || ir_expr_at (p, n->arg[1])->value >= n->bits;
  default: return false;
  }
}

ir_expr ir_intern (ir_program *p, const ir_expr_node *given) {
  struct ir_tables *t = p->tables;
  ir_expr_node n = normal_form (given);
  bool is_new;
  uint64_t *newest = map_insert (&t->by_hash, expr_node_hash (&n), p->exprs.count, &is_new);
  uint32_t chain = is_new ? IR_NONE : (uint32_t) *newest;
  for (uint32_t i = chain; i != IR_NONE; i = t->next.data[i])
    if (same_node (&p->exprs.data[i], &n)) return (ir_expr){i};
  *newest = p->exprs.count;
  bool can_fail = operation_can_fail (p, &n);
  uint32_t size = 1;
  for (unsigned k = 0; k < ir_expr_arity (n.op); k++) {
    can_fail |= t->can_fail.data[n.arg[k].i];
    size += t->size.data[n.arg[k].i];
  }
  vec_push (&p->exprs, n);
  vec_push (&t->next, chain);
  vec_push (&t->can_fail, can_fail);
  vec_push (&t->size, (uint16_t) (size > UINT16_MAX ? UINT16_MAX : size));
  return (ir_expr){p->exprs.count - 1};
}

unsigned ir_result_bits (ir_expr_op op, unsigned operand_bits) {
  switch (op) {
  case IR_X_EQ:
  case IR_X_NE:
  case IR_X_ULT:
  case IR_X_ULE:
  case IR_X_SLT:
  case IR_X_SLE:
  case IR_X_SADDO:
  case IR_X_SSUBO:
  case IR_X_SMULO:
  case IR_X_UADDO:
  case IR_X_USUBO:
  case IR_X_UMULO:
  case IR_X_FEQ:
  case IR_X_FLT:
  case IR_X_FLE:
  case IR_X_FUNO: return 1;
  default: return operand_bits;
  }
}

ir_expr ir_const (ir_program *p, unsigned bits, ir_value value) {
  CHECK (bits >= 1 && bits <= 128, "a constant should have 1 to 128 bits, not %u", bits);
  return ir_intern (p, &(ir_expr_node){.op = IR_X_CONST, .bits = (uint16_t) bits, .value = value});
}

ir_expr ir_use (ir_program *p, ir_proc f, ir_reg r) {
  const ir_proc_data *d = ir_proc_at (p, f);
  CHECK (r.i < d->regs.count, "r%u should be a register of %s", r.i, d->name);
  return ir_intern (p, &(ir_expr_node){.op = IR_X_REG, .bits = d->regs.data[r.i].bits, .reg = r});
}

ir_expr ir_addr (ir_program *p, ir_object o, uint32_t offset) {
  if (!o.i) return ir_const (p, p->pointer_bits, offset);
  return ir_intern (p, &(ir_expr_node){.op = IR_X_ADDR, .bits = p->pointer_bits, .object = o, .offset = offset});
}

ir_expr ir_unary (ir_program *p, ir_expr_op op, unsigned bits, ir_expr x) {
  CHECK (op < IR_NUM_EXPR_OPS && ir_expr_arity (op) == 1, "operator %u should be unary", (unsigned) op);
  ir_expr simpler = ir_fold_unary (p, op, bits, x);
  if (simpler.i != IR_NONE) return simpler;
  return ir_intern (p, &(ir_expr_node){.op = op, .bits = (uint16_t) bits, .arg = {x}});
}

ir_expr ir_binary_flags (ir_program *p, ir_expr_op op, ir_expr x, ir_expr y, bool nsw, bool nuw) {
  CHECK (op < IR_NUM_EXPR_OPS && ir_expr_arity (op) == 2, "operator %u should be binary", (unsigned) op);
  unsigned bits = ir_expr_at (p, x)->bits;
  CHECK (bits == ir_expr_at (p, y)->bits, "operands of %s should have one width, not %u and %u", ir_expr_op_text[op],
         bits, ir_expr_at (p, y)->bits);
  ir_expr simpler = ir_fold_binary (p, op, x, y, nsw, nuw);
  if (simpler.i != IR_NONE) return simpler;
  return ir_intern (
      p,
      &(ir_expr_node){.op = op, .bits = (uint16_t) ir_result_bits (op, bits), .nsw = nsw, .nuw = nuw, .arg = {x, y}});
}

ir_expr ir_binary (ir_program *p, ir_expr_op op, ir_expr x, ir_expr y) {
  return ir_binary_flags (p, op, x, y, false, false);
}

ir_expr ir_ite (ir_program *p, ir_expr c, ir_expr x, ir_expr y) {
  unsigned bits = ir_expr_at (p, x)->bits;
  CHECK (ir_expr_at (p, c)->bits == 1, "the condition of ite should be one bit");
  CHECK (bits == ir_expr_at (p, y)->bits, "branches of ite should have one width");
  ir_expr simpler = ir_fold_ite (p, c, x, y);
  if (simpler.i != IR_NONE) return simpler;
  return ir_intern (p, &(ir_expr_node){.op = IR_X_ITE, .bits = (uint16_t) bits, .arg = {c, x, y}});
}

ir_expr ir_not (ir_program *p, ir_expr x) {
  CHECK (ir_expr_at (p, x)->bits == 1, "only one bit should be negated");
  return ir_binary (p, IR_X_XOR, x, ir_const (p, 1, 1));
}

ir_expr ir_rebuild (ir_program *p, ir_expr x, const ir_expr args[3]) {
  ir_expr_node n = *ir_expr_at (p, x);
  switch (ir_expr_arity (n.op)) {
  case 0: return x;
  case 1: return ir_unary (p, n.op, n.bits, args[0]);
  case 2: return ir_binary_flags (p, n.op, args[0], args[1], n.nsw, n.nuw);
  default: return ir_ite (p, args[0], args[1], args[2]);
  }
}

bool ir_op_commutes (ir_expr_op op) {
  switch (op) {
  case IR_X_ADD:
  case IR_X_MUL:
  case IR_X_AND:
  case IR_X_OR:
  case IR_X_XOR:
  case IR_X_EQ:
  case IR_X_NE:
  case IR_X_SADDO:
  case IR_X_SMULO:
  case IR_X_UADDO:
  case IR_X_UMULO: return true;
  default: return false;
  }
}
