// memcpy, memmove, memset: small constant sizes as edges, all else as calls of the library models.
//
// Copies move undefined bytes as undefined bytes (load_raw, store_raw): copying a struct must not turn its padding
// into choices. Pieces are as large as fits, 8 bytes at most, at offsets that are multiples of their size: a member
// that is aligned within its struct is never split.
#include <string.h>

#include "front/translate_impl.h"

enum { EXPANDED_BYTES = 64 };

typedef struct piece {
  ir_expr bytes, mask;
} piece;

static unsigned piece_size (uint64_t bytes_left) {
  unsigned n = 8;
  while (n > bytes_left) n /= 2;
  return n;
}

// A byte may be undefined in part for --property=uninit only.
static bool keeps_bits (const routine *r) { return r->t->options->check_uninit; }

static piece load_piece (routine *r, const access *from, uint64_t offset, unsigned n) {
  ir_reg bytes = reg_new (r, n * 8, NULL), mask = reg_new (r, keeps_bits (r) ? n * 8 : 8, NULL);
  ir_expr address = pointer_add (r->t, from->address, (int64_t) offset);
  ir_edge e = emit_access (r, IR_LOAD_RAW, from, n, &address, 1);
  ir_edge_at (r->p, e)->dst = bytes;
  ir_edge_at (r->p, e)->dst2 = mask;
  ir_edge_at (r->p, e)->aux = keeps_bits (r) ? IR_MASK_OF_BITS : 0;
  return (piece){reg_use (r, bytes), reg_use (r, mask)};
}

static void store_piece (routine *r, const access *to, uint64_t offset, unsigned n, piece x) {
  ir_expr args[3] = {pointer_add (r->t, to->address, (int64_t) offset), x.bytes, x.mask};
  ir_edge e = emit_access (r, IR_STORE_RAW, to, n, args, 3);
  ir_edge_at (r->p, e)->aux = keeps_bits (r) ? IR_MASK_OF_BITS : 0;
}

void emit_copy_bytes (routine *r, access *to, access *from, uint64_t count, bool may_overlap) {
  VEC (piece) pieces = {0};
  for (uint64_t offset = 0; offset < count;) {
    unsigned n = piece_size (count - offset);
    piece x = load_piece (r, from, offset, n);
    if (may_overlap) vec_push (&pieces, x);
    else store_piece (r, to, offset, n, x);
    offset += n;
  }
  uint64_t offset = 0;
  for (uint32_t i = 0; i < pieces.count; i++) {
    unsigned n = piece_size (count - offset);
    store_piece (r, to, offset, n, pieces.data[i]);
    offset += n;
  }
  vec_release (&pieces);
}

static void set_bytes (routine *r, const access *to, ir_expr byte, uint64_t count) {
  for (uint64_t offset = 0; offset < count;) {
    unsigned n = piece_size (count - offset);
    ir_value ones = 0;
    for (unsigned i = 0; i < n; i++) ones |= (ir_value) 1 << (i * 8);
    ir_expr x = ir_binary (r->p, IR_X_MUL, value_resize (r, byte, n * 8, false), value_number (r, n * 8, ones));
    ir_expr args[2] = {pointer_add (r->t, to->address, (int64_t) offset), x};
    emit_access (r, IR_STORE, to, n, args, 2);
    offset += n;
  }
}

// ---- copies that overlap -----------------------------------------------------------------------------
static LLVMValueRef base_of (LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst (pointer)) pointer = LLVMGetOperand (pointer, 0);
  return pointer;
}

static bool is_variable (LLVMValueRef v) { return LLVMIsAAllocaInst (v) || LLVMIsAGlobalVariable (v); }

// clang marks the copy of an assignment between structs; the program did not call memcpy there.
static bool is_assignment (LLVMValueRef call) {
  static const char mark[] = "tbaa.struct";
  return LLVMGetMetadata (call, LLVMGetMDKindID (mark, sizeof mark - 1)) != NULL;
}

// memcpy between places that overlap is undefined.  Onto itself as well, but compilers emit that for `*p = *q`.
static void check_apart (routine *r, LLVMValueRef call, ir_expr to, ir_expr from, uint64_t count) {
  LLVMValueRef a = base_of (LLVMGetOperand (call, 0)), b = base_of (LLVMGetOperand (call, 1));
  if (is_assignment (call) || (is_variable (a) && is_variable (b) && a != b)) return;
  ir_expr n = value_number (r, value_bits (r, to), count);
  ir_expr up = ir_binary (r->p, IR_X_ULE, n, ir_binary (r->p, IR_X_SUB, to, from));
  ir_expr down = ir_binary (r->p, IR_X_ULE, n, ir_binary (r->p, IR_X_SUB, from, to));
  ir_expr apart = ir_binary (r->p, IR_X_AND, up, down);
  ir_edge e = emit_edge (r, IR_CHECK);
  ir_edge_at (r->p, e)->aux = IR_P_MEMORY;
  ir_edge_at (r->p, e)->message = "memcpy between places that overlap";
  ir_add_arg (r->p, e, ir_binary (r->p, IR_X_OR, ir_binary (r->p, IR_X_EQ, to, from), apart));
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
  ir_expr first = value_of (r, LLVMGetOperand (call, 0)), second = value_of (r, LLVMGetOperand (call, 1));
  if (!expand) {
    call_copy_model (r, set ? "memset" : move ? "memmove" : "memcpy", first, second, value_of (r, count));
    return;
  }
  uint64_t n = LLVMConstIntGetZExtValue (count);
  access to = {.address = first, .pointer = LLVMGetOperand (call, 0), .is_volatile = is_volatile};
  access from = {.address = second, .pointer = LLVMGetOperand (call, 1), .is_volatile = is_volatile};
  if (!set && !move && !r->internal) check_apart (r, call, first, second, n);
  if (set) set_bytes (r, &to, second, n);
  else emit_copy_bytes (r, &to, &from, n, move);
}
