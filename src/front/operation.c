// Translates pure operations on scalars to expressions: arithmetic, comparisons, casts, select, address arithmetic.
// The same functions serve instructions and constant expressions.
#include "base/wrap.h"
#include "front/translate_impl.h"

#define NOTHING ((ir_expr){IR_NONE})

static LLVMTypeRef scalar_type (LLVMTypeRef type) {
  return LLVMGetTypeKind (type) == LLVMVectorTypeKind ? LLVMGetElementType (type) : type;
}

// ---- comparisons -------------------------------------------------------------------------------------
static ir_expr integer_comparison (ir_program *p, LLVMIntPredicate predicate, ir_expr a, ir_expr b) {
  switch (predicate) {
  case LLVMIntEQ: return ir_binary (p, IR_X_EQ, a, b);
  case LLVMIntNE: return ir_binary (p, IR_X_NE, a, b);
  case LLVMIntUGT: return ir_binary (p, IR_X_ULT, b, a);
  case LLVMIntUGE: return ir_binary (p, IR_X_ULE, b, a);
  case LLVMIntULT: return ir_binary (p, IR_X_ULT, a, b);
  case LLVMIntULE: return ir_binary (p, IR_X_ULE, a, b);
  case LLVMIntSGT: return ir_binary (p, IR_X_SLT, b, a);
  case LLVMIntSGE: return ir_binary (p, IR_X_SLE, b, a);
  case LLVMIntSLT: return ir_binary (p, IR_X_SLT, a, b);
  case LLVMIntSLE: return ir_binary (p, IR_X_SLE, a, b);
  }
  return NOTHING;
}

static ir_expr float_comparison (ir_program *p, LLVMRealPredicate predicate, ir_expr a, ir_expr b) {
  switch (predicate) {
  case LLVMRealPredicateFalse: return ir_const (p, 1, 0);
  case LLVMRealPredicateTrue: return ir_const (p, 1, 1);
  case LLVMRealOEQ: return ir_binary (p, IR_X_FEQ, a, b);
  case LLVMRealOGT: return ir_binary (p, IR_X_FLT, b, a);
  case LLVMRealOGE: return ir_binary (p, IR_X_FLE, b, a);
  case LLVMRealOLT: return ir_binary (p, IR_X_FLT, a, b);
  case LLVMRealOLE: return ir_binary (p, IR_X_FLE, a, b);
  case LLVMRealONE: return ir_binary (p, IR_X_OR, ir_binary (p, IR_X_FLT, a, b), ir_binary (p, IR_X_FLT, b, a));
  case LLVMRealORD: return ir_not (p, ir_binary (p, IR_X_FUNO, a, b));
  case LLVMRealUNO: return ir_binary (p, IR_X_FUNO, a, b);
  case LLVMRealUEQ: return ir_binary (p, IR_X_OR, ir_binary (p, IR_X_FUNO, a, b), ir_binary (p, IR_X_FEQ, a, b));
  case LLVMRealUGT: return ir_not (p, ir_binary (p, IR_X_FLE, a, b));
  case LLVMRealUGE: return ir_not (p, ir_binary (p, IR_X_FLT, a, b));
  case LLVMRealULT: return ir_not (p, ir_binary (p, IR_X_FLE, b, a));
  case LLVMRealULE: return ir_not (p, ir_binary (p, IR_X_FLT, b, a));
  case LLVMRealUNE: return ir_not (p, ir_binary (p, IR_X_FEQ, a, b));
  }
  return NOTHING;
}

// ---- one operation -----------------------------------------------------------------------------------
static int binary_operator (LLVMOpcode opcode) {
  switch (opcode) {
  case LLVMAdd: return IR_X_ADD;
  case LLVMSub: return IR_X_SUB;
  case LLVMMul: return IR_X_MUL;
  case LLVMUDiv: return IR_X_UDIV;
  case LLVMSDiv: return IR_X_SDIV;
  case LLVMURem: return IR_X_UREM;
  case LLVMSRem: return IR_X_SREM;
  case LLVMShl: return IR_X_SHL;
  case LLVMLShr: return IR_X_LSHR;
  case LLVMAShr: return IR_X_ASHR;
  case LLVMAnd: return IR_X_AND;
  case LLVMOr: return IR_X_OR;
  case LLVMXor: return IR_X_XOR;
  case LLVMFAdd: return IR_X_FADD;
  case LLVMFSub: return IR_X_FSUB;
  case LLVMFMul: return IR_X_FMUL;
  case LLVMFDiv: return IR_X_FDIV;
  case LLVMFRem: return IR_X_FREM;
  default: return -1;
  }
}

static int float_cast (LLVMOpcode opcode) {
  switch (opcode) {
  case LLVMFPToUI: return IR_X_FTOUI;
  case LLVMFPToSI: return IR_X_FTOSI;
  case LLVMUIToFP: return IR_X_UITOF;
  case LLVMSIToFP: return IR_X_SITOF;
  case LLVMFPTrunc:
  case LLVMFPExt: return IR_X_FCONV;
  case LLVMFNeg: return IR_X_FNEG;
  default: return -1;
  }
}

static bool computes_with_floats (LLVMOpcode opcode) {
  return opcode == LLVMFAdd || opcode == LLVMFSub || opcode == LLVMFMul || opcode == LLVMFDiv || opcode == LLVMFRem ||
         opcode == LLVMFCmp || float_cast (opcode) >= 0;
}

static bool is_unsupported_float (LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind (type);
  return kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind || kind == LLVMFP128TypeKind ||
         kind == LLVMPPC_FP128TypeKind;
}

// Half and quad precision have no operators in the program representation.
static bool has_unsupported_float (LLVMOpcode opcode, LLVMValueRef user) {
  if (!computes_with_floats (opcode)) return false;
  return is_unsupported_float (scalar_type (LLVMTypeOf (user))) ||
         is_unsupported_float (scalar_type (LLVMTypeOf (LLVMGetOperand (user, 0))));
}

static ir_expr integer_cast (ir_program *p, LLVMOpcode opcode, ir_expr x, unsigned bits) {
  unsigned now = ir_expr_at (p, x)->bits;
  if (now == bits) return x;
  if (now > bits) return ir_unary (p, IR_X_TRUNC, bits, x);
  return ir_unary (p, opcode == LLVMSExt ? IR_X_SEXT : IR_X_ZEXT, bits, x);
}

static bool may_have_flags (LLVMOpcode opcode) {
  return opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul || opcode == LLVMShl;
}

ir_expr operation_expr (translator *t, LLVMOpcode opcode, LLVMValueRef user, const ir_expr *x, unsigned bits) {
  ir_program *p = t->p;
  if (!bits || has_unsupported_float (opcode, user)) return NOTHING;
  int op = binary_operator (opcode);
  if (op >= 0) {
    bool flags = may_have_flags (opcode) && LLVMIsAInstruction (user);
    return ir_binary_flags (p, (ir_expr_op) op, x[0], x[1], flags && LLVMGetNSW (user), flags && LLVMGetNUW (user));
  }
  op = float_cast (opcode);
  if (op >= 0) return ir_unary (p, (ir_expr_op) op, bits, x[0]);
  switch (opcode) {
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMPtrToInt:
  case LLVMIntToPtr:
  case LLVMBitCast:
  case LLVMAddrSpaceCast: return integer_cast (p, opcode, x[0], bits);
  case LLVMFreeze: return x[0];
  case LLVMICmp: return integer_comparison (p, LLVMGetICmpPredicate (user), x[0], x[1]);
  case LLVMFCmp: return float_comparison (p, LLVMGetFCmpPredicate (user), x[0], x[1]);
  case LLVMSelect: return ir_ite (p, x[0], x[1], x[2]);
  default: return NOTHING;
  }
}

// ---- instructions ------------------------------------------------------------------------------------
// Translates a vector operation lane by lane; an operand that is no vector (the condition of a select) is the same in
// each lane.
static ir_expr lane_operation (routine *r, LLVMOpcode opcode, LLVMValueRef i, const ir_expr *x, int n) {
  LLVMTypeRef type = LLVMTypeOf (i);
  unsigned bits = type_lane_bits (r->t, type);
  ir_expr whole = value_from_number (r, type_bits (r->t, type), 0);
  for (unsigned lane = 0; lane < LLVMGetVectorSize (type); lane++) {
    ir_expr parts[3];
    for (int k = 0; k < n; k++) {
      LLVMTypeRef from = LLVMTypeOf (LLVMGetOperand (i, (unsigned) k));
      bool vector = LLVMGetTypeKind (from) == LLVMVectorTypeKind;
      unsigned width = vector ? type_lane_bits (r->t, from) : 0;
      parts[k] = vector ? bits_extract (r->p, x[k], lane * width, width) : x[k];
    }
    ir_expr result = operation_expr (r->t, opcode, i, parts, bits);
    if (result.i == IR_NONE) return result;
    whole = bits_insert (r->p, whole, lane * bits, value_assign (r, result, NULL));
  }
  return whole;
}

// `c ? 1 : 2` is a branch in C but a select in LLVM: --property=uninit checks its condition like that of a branch.
static void check_select_condition (routine *r, ir_expr condition) {
  if (!r->t->options->check_uninit) return;
  ir_edge e = emit_edge (r, IR_CHECK);
  ir_edge_at (r->p, e)->aux = IR_P_UNINIT;
  ir_edge_at (r->p, e)->message = "a condition";
  ir_add_arg (r->p, e, condition);
}

void translate_operation (routine *r, LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode (i);
  LLVMTypeRef type = LLVMTypeOf (i);
  unsigned bits = type_bits (r->t, type);
  ir_expr x[3], result = NOTHING;
  int n = LLVMGetNumOperands (i);
  for (int k = 0; k < n && k < 3; k++) {
    if (!type_bits (r->t, LLVMTypeOf (LLVMGetOperand (i, (unsigned) k)))) bits = 0;
    else x[k] = operand_value (r, LLVMGetOperand (i, (unsigned) k));
  }
  bool lanes = LLVMGetTypeKind (type) == LLVMVectorTypeKind && opcode != LLVMBitCast && opcode != LLVMFreeze;
  if (opcode == LLVMSelect && bits && value_bits (r, x[0]) == 1) check_select_condition (r, x[0]);
  if (bits && n <= 3) result = lanes ? lane_operation (r, opcode, i, x, n) : operation_expr (r->t, opcode, i, x, bits);
  if (result.i == IR_NONE) {
    char *text = LLVMPrintValueToString (i);
    emit_unsupported (r, "operation%.100s", text);
    LLVMDisposeMessage (text);
    return;
  }
  value_bind_named (r, i, result);
}

// ---- address arithmetic ------------------------------------------------------------------------------
static ir_expr index_value (routine *r, translator *t, LLVMValueRef index) {
  if (!r) return constant_expr (t, index);
  return operand_value (r, index);
}

// base + constant offset + sum of index * element size, in the width of a pointer.
ir_expr address_of_gep (routine *r, translator *t, LLVMValueRef gep) {
  ir_program *p = t->p;
  LLVMTypeRef type = LLVMGetGEPSourceElementType (gep);
  ir_expr address = index_value (r, t, LLVMGetOperand (gep, 0));
  int64_t constant = 0;
  if (address.i == IR_NONE || LLVMGetTypeKind (LLVMTypeOf (gep)) == LLVMVectorTypeKind) return NOTHING;
  ir_expr variable = NOTHING;
  for (int k = 1; k < LLVMGetNumOperands (gep); k++) {
    LLVMValueRef index = LLVMGetOperand (gep, (unsigned) k);
    if (k > 1 && LLVMGetTypeKind (type) == LLVMStructTypeKind) {
      unsigned member = (unsigned) LLVMConstIntGetZExtValue (index);
      constant = wrap_add (constant, (int64_t) LLVMOffsetOfElement (t->layout, type, member));
      type = LLVMStructGetTypeAtIndex (type, member);
      continue;
    }
    if (k > 1) type = LLVMGetElementType (type);
    uint64_t size = type_size (t, type);
    if (LLVMIsAConstantInt (index) && LLVMGetIntTypeWidth (LLVMTypeOf (index)) <= 64) {
      constant = wrap_add (constant, wrap_multiply (LLVMConstIntGetSExtValue (index), (int64_t) size));
      continue;
    }
    ir_expr x = index_value (r, t, index);
    if (x.i == IR_NONE) return NOTHING;
    x = integer_cast (p, LLVMSExt, x, p->pointer_bits);
    x = ir_binary (p, IR_X_MUL, x, ir_const (p, p->pointer_bits, size));
    variable = variable.i == IR_NONE ? x : ir_binary (p, IR_X_ADD, variable, x);
  }
  address = pointer_add (t, address, constant);
  return variable.i == IR_NONE ? address : ir_binary (p, IR_X_ADD, address, variable);
}
