// Allocation, loads and stores of any first-class type.
//
// An edge accesses at most 8 bytes; wider scalars are split.  A struct or array value is accessed member by member, so
// that padding is never accessed.  A value whose width is no multiple of 8 (i1, _BitInt) is stored with zeros above it.
#include <string.h>

#include "front/translate_impl.h"

// Returns the caller's value that a parameter of an inlined body stands for; *r becomes that caller.
static LLVMValueRef callers_value (routine **r, LLVMValueRef v) {
  while ((*r)->caller && LLVMIsAArgument (v)) {
    unsigned n = LLVMCountParams ((*r)->function), i = 0;
    while (i < n && LLVMGetParam ((*r)->function, i) != v) i++;
    if (i == n || i >= LLVMGetNumArgOperands ((*r)->call)) break;
    v = LLVMGetOperand ((*r)->call, i);
    *r = (*r)->caller;
  }
  return v;
}

// Names are those of the user's code: accesses in library models have none, unless the pointer is an argument of an
// inlined call.
void access_name (routine *r, LLVMValueRef pointer, expr_list *args, const char **name) {
  *name = NULL;
  if (!pointer) return;
  routine *owner = r;
  pointer = callers_value (&owner, pointer);
  if (owner->internal) return;
  value_list indices = {0};
  *name = lvalue_name (r->t->debug, pointer, &indices);
  for (uint32_t i = 0; *name && i < indices.count; i++) {
    uint64_t *known = map_find (&owner->values, llvm_key (indices.data[i]));
    ir_expr x = {known ? (uint32_t) *known : IR_NONE};
    if (!known && LLVMIsConstant (indices.data[i])) x = constant_expr (r->t, indices.data[i]);
    vec_push (args, x.i == IR_NONE ? value_from_number (r, 32, 0) : x);
  }
  vec_release (&indices);
}

ir_edge emit_access (routine *r, ir_op op, const memory_access *a, unsigned bytes, const ir_expr *args,
                     unsigned num_args) {
  expr_list name_args = {0};
  const char *name;
  access_name (r, a->pointer, &name_args, &name);
  ir_edge e = emit_edge (r, op);
  ir_edge_data *d = ir_edge_at (r->p, e);
  d->bytes = (uint16_t) bytes;
  d->order = (uint8_t) a->order;
  d->is_volatile = a->is_volatile;
  d->name = name;
  for (unsigned i = 0; i < num_args; i++) ir_add_arg (r->p, e, args[i]);
  for (uint32_t i = 0; i < name_args.count; i++) ir_add_name_arg (r->p, e, name_args.data[i]);
  vec_release (&name_args);
  return e;
}

unsigned access_piece_bytes (uint64_t bytes_left) {
  unsigned n = 8;
  while (n > bytes_left) n /= 2;
  return n;
}

static memory_access piece_at (routine *r, const memory_access *a, unsigned offset) {
  memory_access piece = *a;
  piece.address = pointer_add (r->t, a->address, offset);
  return piece;
}

// ---- scalars -----------------------------------------------------------------------------------------
ir_expr load_bits (routine *r, const memory_access *a, unsigned bits) {
  unsigned bytes = (bits + 7) / 8;
  ir_expr whole = value_from_number (r, bytes * 8, 0);
  for (unsigned offset = 0; offset < bytes;) {
    unsigned n = access_piece_bytes (bytes - offset);
    memory_access piece = piece_at (r, a, offset);
    ir_reg reg = reg_new (r, n * 8, bytes == n ? a->name : NULL);
    ir_edge e = emit_access (r, IR_LOAD, &piece, n, &piece.address, 1);
    ir_edge_at (r->p, e)->dst = reg;
    whole = bits_insert (r->p, whole, offset * 8, reg_use (r, reg));
    offset += n;
  }
  return value_assign (r, value_resize (r, whole, bits, false), a->name);
}

void store_bits (routine *r, const memory_access *a, ir_expr x) {
  unsigned bytes = (value_bits (r, x) + 7) / 8;
  x = value_resize (r, x, bytes * 8, false);
  for (unsigned offset = 0; offset < bytes;) {
    unsigned n = access_piece_bytes (bytes - offset);
    memory_access piece = piece_at (r, a, offset);
    ir_expr args[2] = {piece.address, bits_extract (r->p, x, offset * 8, n * 8)};
    emit_access (r, IR_STORE, &piece, n, args, 2);
    offset += n;
  }
}

// ---- any type ----------------------------------------------------------------------------------------
ir_expr load_value (routine *r, LLVMTypeRef type, const memory_access *a) {
  if (!type_is_aggregate (type)) return load_bits (r, a, type_bits (r->t, type));
  ir_expr whole = value_from_number (r, type_bits (r->t, type), 0);
  for (unsigned i = 0; i < type_num_elements (type); i++) {
    LLVMTypeRef part = type_of_element (type, i);
    if (!type_bits (r->t, part)) continue;
    unsigned offset = (unsigned) type_offset (r->t, type, i);
    memory_access piece = piece_at (r, a, offset);
    piece.name = NULL;
    whole = bits_insert (r->p, whole, offset * 8, load_value (r, part, &piece));
  }
  return value_assign (r, whole, a->name);
}

void store_value (routine *r, LLVMTypeRef type, const memory_access *a, ir_expr x) {
  if (!type_is_aggregate (type)) {
    store_bits (r, a, x);
    return;
  }
  for (unsigned i = 0; i < type_num_elements (type); i++) {
    LLVMTypeRef part = type_of_element (type, i);
    unsigned bits = type_bits (r->t, part), offset = (unsigned) type_offset (r->t, type, i);
    if (!bits) continue;
    memory_access piece = piece_at (r, a, offset);
    store_value (r, part, &piece, bits_extract (r->p, x, offset * 8, bits));
  }
}

// ---- instructions ------------------------------------------------------------------------------------
ir_expr emit_alloc (routine *r, ir_expr size, ir_alloc_kind kind, const char *name, ir_type type) {
  ir_reg reg = reg_new (r, routine_pointer_bits (r), name);
  ir_proc_at (r->p, r->proc)->regs.data[reg.i].type = type;
  ir_edge e = emit_edge (r, IR_ALLOC);
  ir_edge_data *d = ir_edge_at (r->p, e);
  d->dst = reg;
  d->aux = (uint8_t) kind;
  d->name = name ? arena_strdup (r->p->arena, name) : NULL;
  ir_add_arg (r->p, e, size);
  return reg_use (r, reg);
}

static bool is_only_accessed (LLVMValueRef local) {
  for (LLVMUseRef u = LLVMGetFirstUse (local); u; u = LLVMGetNextUse (u)) {
    LLVMValueRef user = LLVMGetUser (u);
    if (!LLVMIsALoadInst (user) && !(LLVMIsAStoreInst (user) && LLVMGetOperand (user, 1) == local)) return false;
  }
  return true;
}

// The lifetime of a compound literal ends with the block around it.  clang 19 marks the lifetimes of variables only.
static void assume_about_literal (routine *r, LLVMValueRef local) {
  static const char name[] = ".compoundliteral";
  if (r->internal || strncmp (value_name (local), name, strlen (name)) || is_only_accessed (local)) return;
  ir_assume_in_report (r->p, "compound literals live until their function returns, not only until their block ends");
}

static void translate_alloca (routine *r, LLVMValueRef i) {
  assume_about_literal (r, i);
  ir_expr count = value_resize (r, operand_value (r, LLVMGetOperand (i, 0)), routine_pointer_bits (r), false);
  uint64_t size = type_size (r->t, LLVMGetAllocatedType (i));
  ir_expr bytes = ir_binary (r->p, IR_X_MUL, count, value_from_number (r, routine_pointer_bits (r), size));
  value_bind (
      r, i,
      emit_alloc (r, bytes, IR_ALLOC_STACK, debug_value_name (r->t->debug, i), debug_alloca_type (r->t->debug, i)));
}

// An atomic access that is too wide for one edge needs an atomic region around its pieces.
static bool needs_atomic_region (const memory_access *a, unsigned bits) { return a->order != IR_PLAIN && bits > 64; }

static void translate_load (routine *r, LLVMValueRef i) {
  LLVMTypeRef type = LLVMTypeOf (i);
  if (!type_bits (r->t, type)) {
    if (type_size (r->t, type)) emit_unsupported (r, "load of more than 16 bytes at once");
    else value_bind (r, i, value_from_number (r, 1, 0));
    return;
  }
  LLVMValueRef pointer = LLVMGetOperand (i, 0);
  memory_access a = {operand_value (r, pointer), pointer, order_from_llvm (LLVMGetOrdering (i)), LLVMGetVolatile (i),
                     debug_value_name (r->t->debug, i)};
  bool region = needs_atomic_region (&a, type_bits (r->t, type));
  if (region) emit_edge (r, IR_ATOMIC_BEGIN);
  value_bind (r, i, load_value (r, type, &a));
  if (region) emit_edge (r, IR_ATOMIC_END);
}

static void translate_store (routine *r, LLVMValueRef i) {
  LLVMValueRef v = LLVMGetOperand (i, 0), pointer = LLVMGetOperand (i, 1);
  LLVMTypeRef type = LLVMTypeOf (v);
  if (!type_bits (r->t, type)) {
    if (type_size (r->t, type)) emit_unsupported (r, "store of more than 16 bytes at once");
    return;
  }
  ir_expr x = operand_value (r, v);
  memory_access a = {operand_value (r, pointer), pointer, order_from_llvm (LLVMGetOrdering (i)), LLVMGetVolatile (i),
                     NULL};
  bool region = needs_atomic_region (&a, type_bits (r->t, type));
  if (region) emit_edge (r, IR_ATOMIC_BEGIN);
  store_value (r, type, &a, x);
  if (region) emit_edge (r, IR_ATOMIC_END);
}

void translate_memory (routine *r, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode (i)) {
  case LLVMAlloca: translate_alloca (r, i); break;
  case LLVMLoad: translate_load (r, i); break;
  default: translate_store (r, i); break;
  }
}
