// Folding: constants, and identities that hold for every value.
//
// Folding preserves three things.  Overflows: an operation that --property=overflow checks is not folded if it
// overflows on its constants (2147483647 + 1 nsw is kept), and an operand that contains such an operation is not
// dropped. Undefined values: until ir_add_uninit_checks has run, `x ^ x` is kept, because it is undefined if x is
// (ir_keep_undefined).  Addresses: the address of a static object is a constant of the program, so addresses compare
// like numbers; but the result of arithmetic stays an address as long as it points into the object, since the analyses
// look for addresses.
#include "ir/ir_impl.h"

static const ir_expr none = {IR_NONE};

static const ir_expr_node *expr_node (const ir_program *p, ir_expr x) { return ir_expr_at (p, x); }
static bool is_value (const ir_program *p, ir_expr x, ir_value v) {
  return ir_is_const (p, x) && expr_node (p, x)->value == v;
}
static bool is_ones (const ir_program *p, ir_expr x) { return is_value (p, x, ir_mask (expr_node (p, x)->bits)); }
static bool can_drop_operand (const ir_program *p, ir_expr x) { return !p->tables->can_fail.data[x.i]; }

// May x be dropped where the result is the same for every value of x, as in `x ^ x` and `x * 0`?  Memcheck regards this
// result as undefined if x is.  It regards `x & 0` as defined, so there `can_drop_operand` is enough.
static bool can_cancel (const ir_program *p, ir_expr x) {
  return can_drop_operand (p, x) && !p->tables->keeps_undefined;
}

// Gives the number of a constant or an address.  False: the value is not a constant of the whole program, such as the
// address of a thread-local, which differs from thread to thread.
static bool known_number (const ir_program *p, ir_expr x, ir_value *value) {
  const ir_expr_node *n = expr_node (p, x);
  if (n->op == IR_X_CONST) return *value = n->value, true;
  if (n->op != IR_X_ADDR || n->object.i >= p->objects.count || ir_object_at (p, n->object)->kind == IR_O_THREAD_LOCAL)
    return false;
  *value = (((ir_value) n->object.i << p->offset_bits) + n->offset) & ir_mask (p->pointer_bits);
  return true;
}

// Does shifting left lose bits of the value as a signed number?
static bool shift_loses_bits (unsigned bits, const ir_value v[3]) {
  ir_value up = ir_eval_op (IR_X_SHL, bits, bits, v);
  return ir_eval_op (IR_X_ASHR, bits, bits, (ir_value[3]){up, v[1]}) != v[0];
}

// Does the operator on these constants violate --property=overflow?
static bool operator_overflows (ir_expr_op op, unsigned bits, const ir_value v[3], bool nsw) {
  switch (op) {
  case IR_X_ADD: return nsw && ir_eval_op (IR_X_SADDO, 1, bits, v);
  case IR_X_SUB: return nsw && ir_eval_op (IR_X_SSUBO, 1, bits, v);
  case IR_X_MUL: return nsw && ir_eval_op (IR_X_SMULO, 1, bits, v);
  case IR_X_UDIV:
  case IR_X_UREM: return !v[1];
  case IR_X_SDIV:
  case IR_X_SREM: return !v[1] || (v[1] == ir_mask (bits) && v[0] == (ir_value) 1 << (bits - 1));
  case IR_X_SHL: return v[1] >= bits || (nsw && shift_loses_bits (bits, v));
  case IR_X_LSHR:
  case IR_X_ASHR: return v[1] >= bits;
  default: return false;
  }
}

// ---- unary ---------------------------------------------------------------------------------------------

static ir_expr fold_extension (ir_program *p, ir_expr_op op, unsigned bits, ir_expr x) {
  ir_expr_node n = *expr_node (p, x);
  if (n.bits == bits) return x;
  if (n.op == IR_X_ZEXT) return ir_unary (p, IR_X_ZEXT, bits, n.arg[0]);
  if (n.op == IR_X_SEXT && op == IR_X_SEXT) return ir_unary (p, IR_X_SEXT, bits, n.arg[0]);
  return none;
}

static ir_expr fold_trunc (ir_program *p, unsigned bits, ir_expr x) {
  ir_expr_node n = *expr_node (p, x);
  if (n.bits == bits) return x;
  if (n.op == IR_X_TRUNC) return ir_unary (p, IR_X_TRUNC, bits, n.arg[0]);
  if (n.op == IR_X_ZEXT || n.op == IR_X_SEXT)
    return ir_unary (p, expr_node (p, n.arg[0])->bits >= bits ? IR_X_TRUNC : n.op, bits, n.arg[0]);
  return none;
}

ir_expr ir_fold_unary (ir_program *p, ir_expr_op op, unsigned bits, ir_expr x) {
  ir_expr_node n = *expr_node (p, x);
  if (n.op == IR_X_CONST) return ir_const (p, bits, ir_eval_op (op, bits, n.bits, (ir_value[3]){n.value}));
  switch (op) {
  case IR_X_ZEXT:
  case IR_X_SEXT: return fold_extension (p, op, bits, x);
  case IR_X_TRUNC: return fold_trunc (p, bits, x);
  case IR_X_FNEG:
  case IR_X_BSWAP:
  case IR_X_BITREV: return n.op == op ? n.arg[0] : none;
  default: return none;
  }
}

// ---- binary --------------------------------------------------------------------------------------------

static ir_expr fold_add (ir_program *p, ir_expr x, ir_expr y, bool flags) {
  if (is_value (p, y, 0)) return x;
  ir_expr_node n = *expr_node (p, x), c = *expr_node (p, y);
  if (c.op != IR_X_CONST) return none;
  if (n.op == IR_X_ADDR) {  // the sum must point into the object, or one past its end
    ir_value offset = (n.offset + c.value) & ir_mask (n.bits);
    return offset <= ir_object_at (p, n.object)->size ? ir_addr (p, n.object, (uint32_t) offset) : none;
  }
  if (n.op == IR_X_ADD && !flags && !n.nsw && !n.nuw && ir_is_const (p, n.arg[1]))
    return ir_binary (p, IR_X_ADD, n.arg[0], ir_const (p, n.bits, expr_node (p, n.arg[1])->value + c.value));
  return none;
}

static ir_expr fold_sub (ir_program *p, ir_expr x, ir_expr y, bool flags) {
  ir_expr_node a = *expr_node (p, x), b = *expr_node (p, y);
  if (is_value (p, y, 0)) return x;
  if (x.i == y.i && can_cancel (p, x)) return ir_const (p, a.bits, 0);
  if (a.op == IR_X_ADDR && b.op == IR_X_ADDR && a.object.i == b.object.i)
    return ir_const (p, a.bits, (ir_value) a.offset - b.offset);
  if (b.op == IR_X_CONST && !flags) return ir_binary (p, IR_X_ADD, x, ir_const (p, a.bits, -b.value));
  return none;
}

static ir_expr fold_product (ir_program *p, ir_expr_op op, ir_expr x, ir_expr y, bool flags) {
  unsigned bits = expr_node (p, x)->bits;
  if (op == IR_X_MUL && is_value (p, y, 0) && can_cancel (p, x)) return y;
  if (!is_value (p, y, 1)) return none;
  if ((op == IR_X_MUL && !flags) || op == IR_X_UDIV) return x;
  if (bits == 1) return none;  // with one bit, 1 is -1
  if (op == IR_X_MUL) return x;
  if (op == IR_X_SDIV) return x;
  return (op == IR_X_UREM || op == IR_X_SREM) && can_drop_operand (p, x) ? ir_const (p, bits, 0) : none;
}

// Returns the negation of a comparison; none for any other node.
static ir_expr opposite_comparison (ir_program *p, const ir_expr_node *n) {
  switch (n->op) {
  case IR_X_EQ: return ir_binary (p, IR_X_NE, n->arg[0], n->arg[1]);
  case IR_X_NE: return ir_binary (p, IR_X_EQ, n->arg[0], n->arg[1]);
  case IR_X_ULT: return ir_binary (p, IR_X_ULE, n->arg[1], n->arg[0]);
  case IR_X_ULE: return ir_binary (p, IR_X_ULT, n->arg[1], n->arg[0]);
  case IR_X_SLT: return ir_binary (p, IR_X_SLE, n->arg[1], n->arg[0]);
  case IR_X_SLE: return ir_binary (p, IR_X_SLT, n->arg[1], n->arg[0]);
  default: return none;
  }
}

static ir_expr fold_logic (ir_program *p, ir_expr_op op, ir_expr x, ir_expr y) {
  ir_expr_node n = *expr_node (p, x), c = *expr_node (p, y);
  bool same = x.i == y.i;
  if (op == IR_X_XOR) {
    if (is_value (p, y, 0)) return x;
    if (same && can_cancel (p, x)) return ir_const (p, n.bits, 0);
    if (n.op == IR_X_XOR && c.op == IR_X_CONST && ir_is_const (p, n.arg[1]))
      return ir_binary (p, IR_X_XOR, n.arg[0], ir_const (p, n.bits, expr_node (p, n.arg[1])->value ^ c.value));
    return n.bits == 1 && is_value (p, y, 1) ? opposite_comparison (p, &n) : none;
  }
  if (same) return x;
  if (op == IR_X_AND ? is_ones (p, y) : is_value (p, y, 0)) return x;
  if ((op == IR_X_AND ? is_value (p, y, 0) : is_ones (p, y)) && can_drop_operand (p, x)) return y;
  if (op == IR_X_AND && n.op == IR_X_ZEXT && c.op == IR_X_CONST) {
    ir_value low = ir_mask (expr_node (p, n.arg[0])->bits);
    if ((c.value & low) == low) return x;
  }
  return none;
}

// Folds EQ and NE with a constant on the right, if the left is an extension or has one bit.
static ir_expr fold_equal_const (ir_program *p, bool eq, ir_expr x, ir_expr y) {
  ir_expr_node n = *expr_node (p, x);
  ir_value v = expr_node (p, y)->value;
  if (n.bits == 1) return eq == (v == 1) ? x : ir_not (p, x);
  if (n.op != IR_X_ZEXT && n.op != IR_X_SEXT) return none;
  unsigned from = expr_node (p, n.arg[0])->bits;
  ir_value cut = v & ir_mask (from);
  if (ir_eval_op (n.op, n.bits, from, (ir_value[3]){cut}) == v)
    return ir_binary (p, eq ? IR_X_EQ : IR_X_NE, n.arg[0], ir_const (p, from, cut));
  return can_drop_operand (p, x) ? ir_const (p, 1, !eq) : none;
}

static ir_expr fold_comparison (ir_program *p, ir_expr_op op, ir_expr x, ir_expr y) {
  unsigned bits = expr_node (p, x)->bits;
  ir_value v[3];
  if (x.i == y.i && can_cancel (p, x)) return ir_const (p, 1, op == IR_X_EQ || op == IR_X_ULE || op == IR_X_SLE);
  if (known_number (p, x, &v[0]) && known_number (p, y, &v[1])) return ir_const (p, 1, ir_eval_op (op, 1, bits, v));
  if ((op == IR_X_EQ || op == IR_X_NE) && ir_is_const (p, y)) return fold_equal_const (p, op == IR_X_EQ, x, y);
  if (op == IR_X_ULT && is_value (p, y, 0) && can_drop_operand (p, x)) return ir_const (p, 1, 0);
  if (op == IR_X_ULE && is_value (p, x, 0) && can_drop_operand (p, y)) return ir_const (p, 1, 1);
  return none;
}

static ir_expr fold_identity (ir_program *p, ir_expr_op op, ir_expr x, ir_expr y, bool flags) {
  switch (op) {
  case IR_X_ADD: return fold_add (p, x, y, flags);
  case IR_X_SUB: return fold_sub (p, x, y, flags);
  case IR_X_MUL:
  case IR_X_UDIV:
  case IR_X_SDIV:
  case IR_X_UREM:
  case IR_X_SREM: return fold_product (p, op, x, y, flags);
  case IR_X_SHL:
  case IR_X_LSHR:
  case IR_X_ASHR: return is_value (p, y, 0) ? x : none;
  case IR_X_AND:
  case IR_X_OR:
  case IR_X_XOR: return fold_logic (p, op, x, y);
  case IR_X_EQ:
  case IR_X_NE:
  case IR_X_ULT:
  case IR_X_ULE:
  case IR_X_SLT:
  case IR_X_SLE: return fold_comparison (p, op, x, y);
  default: return none;
  }
}

ir_expr ir_fold_binary (ir_program *p, ir_expr_op op, ir_expr x, ir_expr y, bool nsw, bool nuw) {
  unsigned bits = expr_node (p, x)->bits;
  if (ir_is_const (p, x) && ir_is_const (p, y)) {
    ir_value v[3] = {expr_node (p, x)->value, expr_node (p, y)->value};
    unsigned result = ir_result_bits (op, bits);
    return operator_overflows (op, bits, v, nsw) ? none : ir_const (p, result, ir_eval_op (op, result, bits, v));
  }
  if (ir_op_commutes (op) && ir_is_const (p, x)) return ir_binary_flags (p, op, y, x, nsw, nuw);
  return fold_identity (p, op, x, y, nsw || nuw);
}

// ---- ite -----------------------------------------------------------------------------------------------

ir_expr ir_fold_ite (ir_program *p, ir_expr c, ir_expr x, ir_expr y) {
  ir_expr_node n = *expr_node (p, c);
  if (n.op == IR_X_CONST) return n.value ? x : y;
  if (x.i == y.i && can_drop_operand (p, c)) return x;
  if (expr_node (p, x)->bits == 1 && x.i != y.i && ir_is_const (p, x) && ir_is_const (p, y))
    return is_value (p, x, 1) ? c : ir_not (p, c);
  if (n.op == IR_X_XOR && is_value (p, n.arg[1], 1)) return ir_ite (p, n.arg[0], y, x);
  return none;
}
