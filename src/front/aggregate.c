// Parts of structs, arrays and vectors held in registers: extractvalue, insertvalue, extractelement, insertelement,
// shufflevector.
//
// cmpxchg and the *.with.overflow intrinsics have two results, kept in two registers (the second in routine.seconds);
// extractvalue of such a pair returns the register.
#include "front/translate_impl.h"

ir_expr bits_extract (ir_program *p, ir_expr x, unsigned from, unsigned bits) {
  unsigned whole = ir_expr_at (p, x)->bits;
  if (from) x = ir_binary (p, IR_X_LSHR, x, ir_const (p, whole, from));
  return whole == bits ? x : ir_unary (p, IR_X_TRUNC, bits, x);
}

ir_expr bits_insert (ir_program *p, ir_expr whole, unsigned from, ir_expr part) {
  unsigned bits = ir_expr_at (p, whole)->bits, width = ir_expr_at (p, part)->bits;
  if (width == bits) return part;
  ir_value ones = (((ir_value) 1 << width) - 1) << from;
  ir_value all = bits == 128 ? ~(ir_value) 0 : ((ir_value) 1 << bits) - 1;
  ir_expr kept = ir_binary (p, IR_X_AND, whole, ir_const (p, bits, all & ~ones));
  ir_expr moved = ir_unary (p, IR_X_ZEXT, bits, part);
  if (from) moved = ir_binary (p, IR_X_SHL, moved, ir_const (p, bits, from));
  const ir_expr_node *n = ir_expr_at (p, kept);
  return n->op == IR_X_CONST && !n->value ? moved : ir_binary (p, IR_X_OR, kept, moved);
}

// Returns the offset, in bits, of the part that the indices name; *type becomes the part's type.
static unsigned part_position (routine *r, LLVMValueRef i, LLVMTypeRef *type) {
  unsigned from = 0;
  const unsigned *indices = LLVMGetIndices (i);
  for (unsigned k = 0; k < LLVMGetNumIndices (i); k++) {
    from += (unsigned) type_offset (r->t, *type, indices[k]) * 8;
    *type = type_of_element (*type, indices[k]);
  }
  return from;
}

static void extract_value (routine *r, LLVMValueRef i) {
  LLVMValueRef whole = LLVMGetOperand (i, 0);
  uint64_t *second = map_find (&r->seconds, llvm_key (whole));
  if (second) {
    if (LLVMGetIndices (i)[0]) value_bind (r, i, (ir_expr){(uint32_t) *second});
    else value_bind (r, i, operand_value (r, whole));
    return;
  }
  LLVMTypeRef type = LLVMTypeOf (whole);
  unsigned from = part_position (r, i, &type);
  value_bind_named (r, i, bits_extract (r->p, operand_value (r, whole), from, type_bits (r->t, type)));
}

// The start of a chain of insertions is undefined as a whole, but no part is read before an insertion has defined it.
static ir_expr starting_value (routine *r, LLVMValueRef v) {
  return value_is_undefined (v) ? value_from_number (r, type_bits (r->t, LLVMTypeOf (v)), 0) : operand_value (r, v);
}

static void insert_value (routine *r, LLVMValueRef i) {
  LLVMTypeRef type = LLVMTypeOf (i);
  unsigned from = part_position (r, i, &type);
  if (!type_bits (r->t, type)) {
    value_bind (r, i, starting_value (r, LLVMGetOperand (i, 0)));
    return;
  }
  ir_expr part = operand_value (r, LLVMGetOperand (i, 1));
  value_bind_named (r, i, bits_insert (r->p, starting_value (r, LLVMGetOperand (i, 0)), from, part));
}

// The shift, in bits, to a lane whose number is not constant.
static ir_expr lane_shift (routine *r, LLVMValueRef index, unsigned lane_bits, unsigned bits) {
  ir_expr x = value_resize (r, operand_value (r, index), bits, false);
  return ir_binary (r->p, IR_X_MUL, x, value_from_number (r, bits, lane_bits));
}

static void extract_element (routine *r, LLVMValueRef i) {
  LLVMTypeRef type = LLVMTypeOf (LLVMGetOperand (i, 0));
  unsigned lane = type_lane_bits (r->t, type), bits = type_bits (r->t, type);
  ir_expr whole = operand_value (r, LLVMGetOperand (i, 0));
  ir_expr moved = ir_binary (r->p, IR_X_LSHR, whole, lane_shift (r, LLVMGetOperand (i, 1), lane, bits));
  value_bind_named (r, i, value_resize (r, moved, lane, false));
}

static void insert_element (routine *r, LLVMValueRef i) {
  LLVMTypeRef type = LLVMTypeOf (i);
  unsigned lane = type_lane_bits (r->t, type), bits = type_bits (r->t, type);
  ir_expr whole = starting_value (r, LLVMGetOperand (i, 0));
  ir_expr shift = lane_shift (r, LLVMGetOperand (i, 2), lane, bits);
  ir_expr ones = value_from_number (r, bits, lane >= 128 ? ~(ir_value) 0 : ((ir_value) 1 << lane) - 1);
  ir_expr hole = ir_binary (r->p, IR_X_XOR, ir_binary (r->p, IR_X_SHL, ones, shift),
                            value_resize (r, value_from_number (r, 1, 1), bits, true));
  ir_expr part =
      ir_binary (r->p, IR_X_SHL, value_resize (r, operand_value (r, LLVMGetOperand (i, 1)), bits, false), shift);
  value_bind_named (r, i, ir_binary (r->p, IR_X_OR, ir_binary (r->p, IR_X_AND, whole, hole), part));
}

static void shuffle_vector (routine *r, LLVMValueRef i) {
  LLVMTypeRef from = LLVMTypeOf (LLVMGetOperand (i, 0));
  unsigned lane = type_lane_bits (r->t, from), n = LLVMGetVectorSize (from);
  ir_expr a = starting_value (r, LLVMGetOperand (i, 0)), b = starting_value (r, LLVMGetOperand (i, 1));
  ir_expr whole = value_from_number (r, type_bits (r->t, LLVMTypeOf (i)), 0);
  for (unsigned k = 0; k < LLVMGetNumMaskElements (i); k++) {
    int source = LLVMGetMaskValue (i, k);
    if (source == LLVMGetUndefMaskElem ()) continue;
    unsigned s = (unsigned) source;
    whole = bits_insert (r->p, whole, k * lane, bits_extract (r->p, s < n ? a : b, (s < n ? s : s - n) * lane, lane));
  }
  value_bind_named (r, i, whole);
}

void translate_aggregate (routine *r, LLVMValueRef i) {
  LLVMTypeRef whole = LLVMTypeOf (LLVMGetOperand (i, 0));
  bool pair = map_find (&r->seconds, llvm_key (LLVMGetOperand (i, 0)));
  if (!pair && (!type_bits (r->t, whole) || !type_bits (r->t, LLVMTypeOf (i)))) {
    emit_unsupported (r, "struct or vector value of more than 128 bits");
    return;
  }
  switch (LLVMGetInstructionOpcode (i)) {
  case LLVMExtractValue: extract_value (r, i); break;
  case LLVMInsertValue: insert_value (r, i); break;
  case LLVMExtractElement: extract_element (r, i); break;
  case LLVMInsertElement: insert_element (r, i); break;
  default: shuffle_vector (r, i); break;
  }
}
