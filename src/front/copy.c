// memcpy, memmove, memset: small constant sizes become edges, all others calls of the library models.
//
// Copies move undefined bytes as undefined bytes (load_raw, store_raw): copying a struct must not turn its padding
// into choices. Pieces are as large as fits, 8 bytes at most, at offsets that are multiples of their size: a member
// that is aligned within its struct is never split.
#include <string.h>

#include "front/translate_impl.h"

enum { EXPANDED_BYTES = 64 };

typedef struct copied_piece {
  ir_expr bytes, mask;
} copied_piece;

// Only with --property=uninit some bits of a byte may be undefined and others not.
static bool has_bit_masks (const routine *r) { return r->t->options->check_uninit; }

static copied_piece load_piece (routine *r, const memory_access *from, uint64_t offset, unsigned n) {
  ir_reg bytes = reg_new (r, n * 8, NULL), mask = reg_new (r, has_bit_masks (r) ? n * 8 : 8, NULL);
  ir_expr address = pointer_add (r->t, from->address, (int64_t) offset);
  ir_edge e = emit_access (r, IR_LOAD_RAW, from, n, &address, 1);
  ir_edge_at (r->p, e)->dst = bytes;
  ir_edge_at (r->p, e)->dst2 = mask;
  ir_edge_at (r->p, e)->aux = has_bit_masks (r) ? IR_MASK_OF_BITS : 0;
  return (copied_piece){reg_use (r, bytes), reg_use (r, mask)};
}

static void store_piece (routine *r, const memory_access *to, uint64_t offset, unsigned n, copied_piece x) {
  ir_expr args[3] = {pointer_add (r->t, to->address, (int64_t) offset), x.bytes, x.mask};
  ir_edge e = emit_access (r, IR_STORE_RAW, to, n, args, 3);
  ir_edge_at (r->p, e)->aux = has_bit_masks (r) ? IR_MASK_OF_BITS : 0;
}

void emit_copy_bytes (routine *r, memory_access *to, memory_access *from, uint64_t count, bool may_overlap) {
  VEC (copied_piece) pieces = {0};
  for (uint64_t offset = 0; offset < count;) {
    unsigned n = access_piece_bytes (count - offset);
    copied_piece x = load_piece (r, from, offset, n);
    if (may_overlap) vec_push (&pieces, x);
    else store_piece (r, to, offset, n, x);
    offset += n;
  }
  uint64_t offset = 0;
  for (uint32_t i = 0; i < pieces.count; i++) {
    unsigned n = access_piece_bytes (count - offset);
    store_piece (r, to, offset, n, pieces.data[i]);
    offset += n;
  }
  vec_release (&pieces);
}

static void set_bytes (routine *r, const memory_access *to, ir_expr byte, uint64_t count) {
  for (uint64_t offset = 0; offset < count;) {
    unsigned n = access_piece_bytes (count - offset);
    ir_value ones = 0;
    for (unsigned i = 0; i < n; i++) ones |= (ir_value) 1 << (i * 8);
    ir_expr x = ir_binary (r->p, IR_X_MUL, value_resize (r, byte, n * 8, false), value_from_number (r, n * 8, ones));
    ir_expr args[2] = {pointer_add (r->t, to->address, (int64_t) offset), x};
    emit_access (r, IR_STORE, to, n, args, 2);
    offset += n;
  }
}

// ---- copies that overlap -----------------------------------------------------------------------------
static LLVMValueRef pointer_base (LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst (pointer)) pointer = LLVMGetOperand (pointer, 0);
  return pointer;
}

static bool is_variable (LLVMValueRef v) { return LLVMIsAAllocaInst (v) || LLVMIsAGlobalVariable (v); }

// clang marks the copy of an assignment between structs: the program does not call memcpy there.
static bool is_assignment (LLVMValueRef call) {
  static const char mark[] = "tbaa.struct";
  return LLVMGetMetadata (call, LLVMGetMDKindID (mark, sizeof mark - 1)) != NULL;
}

// memcpy between overlapping memory is undefined.  A copy onto itself is undefined, too, but compilers emit it for
// `*p = *q`, so it is not reported.
static void check_disjoint (routine *r, LLVMValueRef call, ir_expr to, ir_expr from, uint64_t count) {
  LLVMValueRef a = pointer_base (LLVMGetOperand (call, 0)), b = pointer_base (LLVMGetOperand (call, 1));
  if (is_assignment (call) || (is_variable (a) && is_variable (b) && a != b)) return;
  ir_expr n = value_from_number (r, value_bits (r, to), count);
  ir_expr up = ir_binary (r->p, IR_X_ULE, n, ir_binary (r->p, IR_X_SUB, to, from));
  ir_expr down = ir_binary (r->p, IR_X_ULE, n, ir_binary (r->p, IR_X_SUB, from, to));
  ir_expr disjoint = ir_binary (r->p, IR_X_AND, up, down);
  ir_edge e = emit_edge (r, IR_CHECK);
  ir_edge_at (r->p, e)->aux = IR_P_MEMORY;
  ir_edge_at (r->p, e)->message = "memcpy between places that overlap";
  ir_add_arg (r->p, e, ir_binary (r->p, IR_X_OR, ir_binary (r->p, IR_X_EQ, to, from), disjoint));
}

static void call_copy_model (routine *r, const char *model, ir_expr a, ir_expr b, ir_expr n) {
  ir_expr args[3] = {a, b, n};
  call_by_name (r, model, args, 3, NULL);
}

// llvm.memcpy.* (to, from, count, volatile), llvm.memmove.* the same, llvm.memset.* (to, byte, count, volatile)
void translate_copy (routine *r, LLVMValueRef call, const char *name) {
  LLVMValueRef count = LLVMGetOperand (call, 2);
  bool is_volatile = !LLVMIsNull (LLVMGetOperand (call, 3));
  bool set = !strncmp (name, "llvm.memset", 11), move = !strncmp (name, "llvm.memmove", 12);
  bool expand = LLVMIsAConstantInt (count) && LLVMConstIntGetZExtValue (count) <= EXPANDED_BYTES;
  ir_expr first = operand_value (r, LLVMGetOperand (call, 0)), second = operand_value (r, LLVMGetOperand (call, 1));
  if (!expand) {
    call_copy_model (r, set ? "memset" : move ? "memmove" : "memcpy", first, second, operand_value (r, count));
    return;
  }
  uint64_t n = LLVMConstIntGetZExtValue (count);
  memory_access to = {.address = first, .pointer = LLVMGetOperand (call, 0), .is_volatile = is_volatile};
  memory_access from = {.address = second, .pointer = LLVMGetOperand (call, 1), .is_volatile = is_volatile};
  if (!set && !move && !r->internal) check_disjoint (r, call, first, second, n);
  if (set) set_bytes (r, &to, second, n);
  else emit_copy_bytes (r, &to, &from, n, move);
}
