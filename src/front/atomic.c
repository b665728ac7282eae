// Atomic instructions: fence, cmpxchg, atomicrmw; and the library calls __atomic_* that clang leaves for objects that
// are large or not aligned.
//
// An access of at most 8 bytes is one edge; a larger one is an atomic region of several edges.  The edges of a region
// keep the memory order, so that they never race with other atomic accesses.
#include <stdlib.h>
#include <string.h>

#include "front/translate_impl.h"

ir_order order_from_llvm (LLVMAtomicOrdering order) {
  switch (order) {
  case LLVMAtomicOrderingNotAtomic: return IR_PLAIN;
  case LLVMAtomicOrderingUnordered:
  case LLVMAtomicOrderingMonotonic: return IR_RELAXED;
  case LLVMAtomicOrderingAcquire: return IR_ACQUIRE;
  case LLVMAtomicOrderingRelease: return IR_RELEASE;
  case LLVMAtomicOrderingAcquireRelease: return IR_ACQ_REL;
  default: return IR_SEQ_CST;
  }
}

static bool fits_one_edge (unsigned bits) { return bits == 8 || bits == 16 || bits == 32 || bits == 64; }

// ---- compare and exchange ----------------------------------------------------------------------------
static ir_expr emit_compare_exchange (routine *r, const memory_access *a, ir_expr expected, ir_expr desired,
                                      ir_expr *ok) {
  unsigned bits = value_bits (r, expected);
  if (!fits_one_edge (bits)) {
    emit_edge (r, IR_ATOMIC_BEGIN);
    ir_expr old = load_bits (r, a, bits);
    *ok = value_assign (r, ir_binary (r->p, IR_X_EQ, old, expected), NULL);
    store_bits (r, a, ir_ite (r->p, *ok, desired, old));
    emit_edge (r, IR_ATOMIC_END);
    return old;
  }
  ir_reg old = reg_new (r, bits, a->name), success = reg_new (r, 1, NULL);
  ir_expr args[3] = {a->address, expected, desired};
  ir_edge e = emit_access (r, IR_CMPXCHG, a, bits / 8, args, 3);
  ir_edge_at (r->p, e)->dst = old;
  ir_edge_at (r->p, e)->dst2 = success;
  *ok = reg_use (r, success);
  return reg_use (r, old);
}

static void translate_cmpxchg (routine *r, LLVMValueRef i) {
  LLVMValueRef pointer = LLVMGetOperand (i, 0);
  ir_expr expected = operand_value (r, LLVMGetOperand (i, 1)), desired = operand_value (r, LLVMGetOperand (i, 2)), ok;
  memory_access a = {operand_value (r, pointer), pointer, order_from_llvm (LLVMGetCmpXchgSuccessOrdering (i)),
                     LLVMGetVolatile (i), NULL};
  value_bind (r, i, emit_compare_exchange (r, &a, expected, desired, &ok));
  map_insert (&r->seconds, llvm_key (i), ok.i, NULL);
  if (LLVMGetWeak (i) && !r->internal)
    ir_assume_in_report (r->p, "a weak compare-and-exchange fails only if the values differ");
}

// ---- read, modify, write -----------------------------------------------------------------------------
static int rmw_operator (LLVMAtomicRMWBinOp op) {
  switch (op) {
  case LLVMAtomicRMWBinOpXchg: return IR_RMW_XCHG;
  case LLVMAtomicRMWBinOpAdd: return IR_RMW_ADD;
  case LLVMAtomicRMWBinOpSub: return IR_RMW_SUB;
  case LLVMAtomicRMWBinOpAnd: return IR_RMW_AND;
  case LLVMAtomicRMWBinOpNand: return IR_RMW_NAND;
  case LLVMAtomicRMWBinOpOr: return IR_RMW_OR;
  case LLVMAtomicRMWBinOpXor: return IR_RMW_XOR;
  case LLVMAtomicRMWBinOpMax: return IR_RMW_MAX;
  case LLVMAtomicRMWBinOpMin: return IR_RMW_MIN;
  case LLVMAtomicRMWBinOpUMax: return IR_RMW_UMAX;
  case LLVMAtomicRMWBinOpUMin: return IR_RMW_UMIN;
  case LLVMAtomicRMWBinOpFAdd: return IR_RMW_FADD;
  case LLVMAtomicRMWBinOpFSub: return IR_RMW_FSUB;
  default: return -1;
  }
}

static ir_expr wide_result (routine *r, ir_rmw_op op, ir_expr old, ir_expr x) {
  static const ir_expr_op operators[] = {
      [IR_RMW_ADD] = IR_X_ADD, [IR_RMW_SUB] = IR_X_SUB,   [IR_RMW_AND] = IR_X_AND,  [IR_RMW_OR] = IR_X_OR,
      [IR_RMW_XOR] = IR_X_XOR, [IR_RMW_FADD] = IR_X_FADD, [IR_RMW_FSUB] = IR_X_FSUB};
  ir_program *p = r->p;
  switch (op) {
  case IR_RMW_XCHG: return x;
  case IR_RMW_NAND:
    return ir_binary (p, IR_X_XOR, ir_binary (p, IR_X_AND, old, x),
                      value_resize (r, value_from_number (r, 1, 1), value_bits (r, x), true));
  case IR_RMW_MAX: return ir_ite (p, ir_binary (p, IR_X_SLT, old, x), x, old);
  case IR_RMW_MIN: return ir_ite (p, ir_binary (p, IR_X_SLT, x, old), x, old);
  case IR_RMW_UMAX: return ir_ite (p, ir_binary (p, IR_X_ULT, old, x), x, old);
  case IR_RMW_UMIN: return ir_ite (p, ir_binary (p, IR_X_ULT, x, old), x, old);
  default: return ir_binary (p, operators[op], old, x);
  }
}

static ir_expr emit_read_modify_write (routine *r, const memory_access *a, ir_rmw_op op, ir_expr x) {
  unsigned bits = value_bits (r, x);
  if (!fits_one_edge (bits)) {
    emit_edge (r, IR_ATOMIC_BEGIN);
    ir_expr old = load_bits (r, a, bits);
    store_bits (r, a, wide_result (r, op, old, x));
    emit_edge (r, IR_ATOMIC_END);
    return old;
  }
  ir_reg old = reg_new (r, bits, a->name);
  ir_expr args[2] = {a->address, x};
  ir_edge e = emit_access (r, IR_RMW, a, bits / 8, args, 2);
  ir_edge_at (r->p, e)->dst = old;
  ir_edge_at (r->p, e)->aux = (uint8_t) op;
  return reg_use (r, old);
}

static void translate_rmw (routine *r, LLVMValueRef i) {
  LLVMValueRef pointer = LLVMGetOperand (i, 0);
  int op = rmw_operator (LLVMGetAtomicRMWBinOp (i));
  if (op < 0) {
    emit_unsupported (r, "atomic operation of an unusual kind");
    return;
  }
  ir_expr x = operand_value (r, LLVMGetOperand (i, 1));
  memory_access a = {operand_value (r, pointer), pointer, order_from_llvm (LLVMGetOrdering (i)), LLVMGetVolatile (i),
                     debug_value_name (r->t->debug, i)};
  value_bind (r, i, emit_read_modify_write (r, &a, (ir_rmw_op) op, x));
}

void translate_atomic (routine *r, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode (i)) {
  case LLVMAtomicCmpXchg: translate_cmpxchg (r, i); break;
  case LLVMAtomicRMW: translate_rmw (r, i); break;
  default: {
    ir_edge e = emit_edge (r, IR_FENCE);
    ir_edge_at (r->p, e)->order = (uint8_t) order_from_llvm (LLVMGetOrdering (i));
  }
  }
}

// ---- library calls -----------------------------------------------------------------------------------
static memory_access atomic_argument (routine *r, LLVMValueRef call, unsigned index) {
  return (memory_access){
      .address = call_argument (r, call, index), .pointer = LLVMGetOperand (call, index), .order = IR_SEQ_CST};
}

static memory_access plain_argument (routine *r, LLVMValueRef call, unsigned index) {
  return (memory_access){.address = call_argument (r, call, index), .pointer = LLVMGetOperand (call, index)};
}

// __atomic_compare_exchange (size, object, expected, desired, ...): *expected becomes the old value.
static void exchange_if_equal (routine *r, LLVMValueRef call, uint64_t size) {
  memory_access object = atomic_argument (r, call, 1), expected = plain_argument (r, call, 2),
                desired = plain_argument (r, call, 3);
  expr_list olds = {0};
  ir_expr equal = value_from_number (r, 1, 1);
  for (uint64_t i = 0; i < size; i++) {
    memory_access o = object, x = expected;
    o.address = pointer_add (r->t, object.address, (int64_t) i);
    x.address = pointer_add (r->t, expected.address, (int64_t) i);
    ir_expr old = load_bits (r, &o, 8);
    vec_push (&olds, old);
    equal =
        value_assign (r, ir_binary (r->p, IR_X_AND, equal, ir_binary (r->p, IR_X_EQ, old, load_bits (r, &x, 8))), NULL);
  }
  for (uint64_t i = 0; i < size; i++) {
    memory_access o = object, x = expected, d = desired;
    o.address = pointer_add (r->t, object.address, (int64_t) i);
    x.address = pointer_add (r->t, expected.address, (int64_t) i);
    d.address = pointer_add (r->t, desired.address, (int64_t) i);
    store_bits (r, &o, ir_ite (r->p, equal, load_bits (r, &d, 8), olds.data[i]));
    store_bits (r, &x, olds.data[i]);
  }
  call_bind_result (r, call, equal);
  vec_release (&olds);
}

// Translates the forms for any size: (size, object, value or result, ..., order).
static bool sized_operation (routine *r, LLVMValueRef call, const char *operation) {
  bool known = !strcmp (operation, "load") || !strcmp (operation, "store") || !strcmp (operation, "exchange") ||
               !strcmp (operation, "compare_exchange");
  LLVMValueRef n = LLVMGetNumArgOperands (call) >= 4 ? LLVMGetOperand (call, 0) : NULL;
  if (!known || !n || !LLVMIsAConstantInt (n) || LLVMConstIntGetZExtValue (n) > 256) return false;
  uint64_t size = LLVMConstIntGetZExtValue (n);
  memory_access object = atomic_argument (r, call, 1), other = plain_argument (r, call, 2);
  emit_edge (r, IR_ATOMIC_BEGIN);
  if (!strcmp (operation, "load")) {
    emit_copy_bytes (r, &other, &object, size, false);
  } else if (!strcmp (operation, "store")) {
    emit_copy_bytes (r, &object, &other, size, false);
  } else if (!strcmp (operation, "exchange")) {
    memory_access result = plain_argument (r, call, 3);
    emit_copy_bytes (r, &result, &object, size, false);
    emit_copy_bytes (r, &object, &other, size, false);
  } else {
    exchange_if_equal (r, call, size);
  }
  emit_edge (r, IR_ATOMIC_END);
  return true;
}

static int fetch_operator (const char *name) {
  static const struct {
    const char *name;
    ir_rmw_op op;
  } table[] = {{"exchange_", IR_RMW_XCHG},  {"fetch_add_", IR_RMW_ADD}, {"fetch_sub_", IR_RMW_SUB},
               {"fetch_and_", IR_RMW_AND},  {"fetch_or_", IR_RMW_OR},   {"fetch_xor_", IR_RMW_XOR},
               {"fetch_nand_", IR_RMW_NAND}};
  for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
    if (!strncmp (name, table[i].name, strlen (table[i].name))) return (int) table[i].op;
  }
  return -1;
}

// Translates the forms for one size: __atomic_load_16 (object, order), __atomic_fetch_add_8 (object, value, order), ...
static bool fixed_operation (routine *r, LLVMValueRef call, const char *operation) {
  const char *suffix = strrchr (operation, '_');
  unsigned bytes = suffix ? (unsigned) strtoul (suffix + 1, NULL, 10) : 0;
  if (!bytes || bytes > 16 || (bytes & (bytes - 1)) || LLVMGetNumArgOperands (call) < 2) return false;
  memory_access object = atomic_argument (r, call, 0);
  bool load = !strncmp (operation, "load_", 5), store = !strncmp (operation, "store_", 6);
  int op = fetch_operator (operation);
  if (load || store) {
    ir_expr x = store ? value_resize (r, call_argument (r, call, 1), bytes * 8, false) : (ir_expr){IR_NONE};
    emit_edge (r, IR_ATOMIC_BEGIN);
    if (load) call_bind_result (r, call, load_bits (r, &object, bytes * 8));
    else store_bits (r, &object, x);
    emit_edge (r, IR_ATOMIC_END);
  } else if (op >= 0) {
    call_bind_result (r, call,
                      emit_read_modify_write (r, &object, (ir_rmw_op) op,
                                              value_resize (r, call_argument (r, call, 1), bytes * 8, false)));
  } else if (!strncmp (operation, "compare_exchange_", 17)) {
    memory_access expected = plain_argument (r, call, 1);
    ir_expr ok, desired = value_resize (r, call_argument (r, call, 2), bytes * 8, false);
    ir_expr old = emit_compare_exchange (r, &object, load_bits (r, &expected, bytes * 8), desired, &ok);
    store_bits (r, &expected, old);
    call_bind_result (r, call, ok);
  } else {
    return false;
  }
  return true;
}

bool translate_atomic_library (routine *r, LLVMValueRef call, const char *name) {
  if (strncmp (name, "__atomic_", 9)) return false;
  const char *operation = name + 9;
  if (!strcmp (operation, "is_lock_free")) {
    call_bind_result (r, call, value_from_number (r, 32, 1));
    return true;
  }
  if (!strcmp (operation, "thread_fence") || !strcmp (operation, "signal_fence")) {
    emit_edge (r, IR_FENCE);
    return true;
  }
  if (!sized_operation (r, call, operation) && !fixed_operation (r, call, operation))
    emit_unsupported (r, "call of `%s`", name);
  return true;
}
