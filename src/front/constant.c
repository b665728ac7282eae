// LLVM constants as expressions.  Initialisers use the same expressions: a constant becomes bytes, an address a
// relocation (see global.c).
//
// A block address (GNU `&&label`) is a small number: blocks are not objects, and only indirectbr uses the value.
#include <stdlib.h>
#include <string.h>

#include "base/wrap.h"
#include "front/translate_impl.h"

#define NOTHING ((ir_expr){IR_NONE})

bool value_is_undefined (LLVMValueRef v) { return LLVMIsAUndefValue (v) || LLVMIsAPoisonValue (v); }

// LLVM's C API silently cuts integers to 64 bits; the printed form is complete: "i128 -12345".
static ir_value parse_printed_integer (LLVMValueRef v) {
  char *text = LLVMPrintValueToString (v);
  const char *s = strrchr (text, ' ');
  s = s ? s + 1 : text;
  bool negative = *s == '-';
  ir_value n = 0;
  for (s += negative; *s >= '0' && *s <= '9'; s++) n = n * 10 + (ir_value) (*s - '0');
  LLVMDisposeMessage (text);
  return negative ? -n : n;
}

ir_value constant_integer (LLVMValueRef v) {
  unsigned bits = LLVMGetIntTypeWidth (LLVMTypeOf (v));
  if (bits <= 64) return LLVMConstIntGetZExtValue (v);
  ir_value n = parse_printed_integer (v);
  return bits < 128 ? n & (((ir_value) 1 << bits) - 1) : n;
}

ir_expr pointer_add (translator *t, ir_expr pointer, int64_t offset) {
  if (!offset) return pointer;
  const ir_expr_node *x = ir_expr_at (t->p, pointer);
  if (x->op == IR_X_ADDR) {
    int64_t sum = wrap_add ((int64_t) x->offset, offset);
    if (sum >= 0 && sum < (int64_t) 1 << t->p->offset_bits) return ir_addr (t->p, x->object, (uint32_t) sum);
  }
  ir_value mask = (((ir_value) 1 << t->p->pointer_bits) - 1);
  return ir_binary (t->p, IR_X_ADD, pointer, ir_const (t->p, t->p->pointer_bits, (ir_value) offset & mask));
}

// Numbers blocks in the order in which their addresses are first used; 0 stays the null pointer.
ir_expr block_number (translator *t, LLVMBasicBlockRef block) {
  uint64_t *n = map_insert (&t->block_numbers, llvm_key (block), t->block_numbers.entries.count + 1, NULL);
  return ir_const (t->p, t->p->pointer_bits, *n);
}

// A float becomes its bits: LLVM folds the cast to an integer of the same width.
static ir_expr float_constant (translator *t, LLVMValueRef v) {
  unsigned bits = type_bits (t, LLVMTypeOf (v));
  LLVMValueRef cast = LLVMConstBitCast (v, LLVMIntTypeInContext (LLVMGetModuleContext (t->module), bits));
  return LLVMIsAConstantInt (cast) ? ir_const (t->p, bits, constant_integer (cast)) : NOTHING;
}

// Undefined parts are 0: such constants are starting points of insertvalue and insertelement, or paddings.
static ir_expr aggregate_constant (translator *t, LLVMValueRef v) {
  LLVMTypeRef type = LLVMTypeOf (v);
  unsigned bits = type_bits (t, type);
  bool vector = LLVMGetTypeKind (type) == LLVMVectorTypeKind;
  if (!bits) return NOTHING;
  ir_expr whole = ir_const (t->p, bits, 0);
  for (unsigned i = 0; i < type_num_elements (type); i++) {
    LLVMValueRef element = LLVMGetAggregateElement (v, i);
    if (!element || value_is_undefined (element) || !type_bits (t, LLVMTypeOf (element))) continue;
    ir_expr x = constant_expr (t, element);
    if (x.i == IR_NONE) return NOTHING;
    unsigned from = vector ? i * type_lane_bits (t, type) : (unsigned) type_offset (t, type, i) * 8;
    whole = bits_insert (t->p, whole, from, x);
  }
  return whole;
}

static ir_expr constant_operation (translator *t, LLVMValueRef v) {
  LLVMOpcode opcode = LLVMGetConstOpcode (v);
  if (opcode == LLVMGetElementPtr) return address_of_gep (NULL, t, v);
  ir_expr operands[3];
  int n = LLVMGetNumOperands (v);
  if (n > 3) return NOTHING;
  for (int i = 0; i < n; i++) {
    operands[i] = constant_expr (t, LLVMGetOperand (v, (unsigned) i));
    if (operands[i].i == IR_NONE) return NOTHING;
  }
  return operation_expr (t, opcode, v, operands, type_bits (t, LLVMTypeOf (v)));
}

ir_expr constant_expr (translator *t, LLVMValueRef v) {
  unsigned bits = type_bits (t, LLVMTypeOf (v));
  if (LLVMIsAGlobalValue (v)) return global_address (t, v);
  if (!bits) return NOTHING;
  if (LLVMIsAConstantInt (v)) return ir_const (t->p, bits, constant_integer (v));
  if (LLVMIsNull (v) || value_is_undefined (v)) return ir_const (t->p, bits, 0);
  if (LLVMIsAConstantFP (v)) return float_constant (t, v);
  if (LLVMIsABlockAddress (v)) return block_number (t, LLVMGetBlockAddressBasicBlock (v));
  if (LLVMIsAConstantExpr (v)) return constant_operation (t, v);
  if (type_is_aggregate (LLVMTypeOf (v)) || LLVMGetTypeKind (LLVMTypeOf (v)) == LLVMVectorTypeKind)
    return aggregate_constant (t, v);
  return NOTHING;
}
