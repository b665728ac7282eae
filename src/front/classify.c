// llvm.is.fpclass: isnan, isinf, isfinite, isnormal and other questions about the class of a float.
//
// The second operand is a set of classes, one bit each.  A class is a range of magnitudes (a magnitude is the float
// without its sign, read as an integer).  The ranges of all classes follow each other, so a set of classes needs only a
// few comparisons.
#include <string.h>

#include "front/translate_impl.h"

enum { ZERO, SUBNORMAL, NORMAL, INFINITE, SIGNALLING, QUIET, NUM_CLASSES };

// Bits of LLVM's set for a positive and for a negative number of the class.
static const struct {
  unsigned positive, negative;
} llvm_bit[NUM_CLASSES] = {
    [ZERO] = {6, 5},     [SUBNORMAL] = {7, 4},  [NORMAL] = {8, 3},
    [INFINITE] = {9, 2}, [SIGNALLING] = {0, 0}, [QUIET] = {1, 1},
};

// Computes the first magnitude of each class.  With 80 bits the leading bit of the fraction is stored, at 63.
static void class_starts (unsigned bits, ir_value start[NUM_CLASSES]) {
  unsigned fraction = bits == 32 ? 23 : bits == 64 ? 52 : 63;
  ir_value leading = bits == 80 ? (ir_value) 1 << 63 : 0, quiet = (ir_value) 1 << (fraction - 1);
  unsigned exponent_at = bits == 80 ? 64 : fraction;
  ir_value infinite = (((ir_value) 1 << (bits - 1)) - ((ir_value) 1 << exponent_at)) | leading;
  start[ZERO] = 0;
  start[SUBNORMAL] = 1;
  start[NORMAL] = (ir_value) 1 << exponent_at | leading;
  start[INFINITE] = infinite;
  start[SIGNALLING] = infinite + 1;
  start[QUIET] = infinite | quiet;
}

static ir_expr and_conditions (routine *r, ir_expr a, ir_expr b) { return ir_binary (r->p, IR_X_AND, a, b); }
static ir_expr or_conditions (routine *r, ir_expr a, ir_expr b) { return ir_binary (r->p, IR_X_OR, a, b); }

// The condition that the magnitude is in one of these classes: one range for each run of neighbouring classes.
static ir_expr magnitude_condition (routine *r, ir_expr magnitude, unsigned classes) {
  unsigned bits = value_bits (r, magnitude);
  ir_value start[NUM_CLASSES];
  class_starts (bits, start);
  ir_expr any = value_from_number (r, 1, 0);
  for (unsigned first = 0, last; first < NUM_CLASSES; first = last + 1) {
    for (last = first; last < NUM_CLASSES && classes >> last & 1;) last++;
    if (last == first) continue;
    ir_expr range = value_from_number (r, 1, 1);
    if (first > 0) range = ir_binary (r->p, IR_X_ULE, value_from_number (r, bits, start[first]), magnitude);
    if (last < NUM_CLASSES)
      range =
          and_conditions (r, range, ir_binary (r->p, IR_X_ULT, magnitude, value_from_number (r, bits, start[last])));
    any = or_conditions (r, any, range);
  }
  return any;
}

// The condition that 80 bits have an exponent but no leading bit: that is no number and counts as signalling.
static ir_expr malformed_condition (routine *r, ir_expr magnitude) {
  ir_expr fraction = ir_unary (r->p, IR_X_TRUNC, 64, magnitude);
  ir_expr large = ir_binary (r->p, IR_X_ULE, value_from_number (r, 80, (ir_value) 1 << 64), magnitude);
  return and_conditions (r, large, ir_binary (r->p, IR_X_ULT, fraction, value_from_number (r, 64, (ir_value) 1 << 63)));
}

static ir_expr class_condition (routine *r, ir_expr x, unsigned positive, unsigned negative) {
  unsigned bits = value_bits (r, x), both = positive & negative;
  ir_value sign = (ir_value) 1 << (bits - 1);
  ir_expr magnitude = value_assign (r, ir_binary (r->p, IR_X_AND, x, value_from_number (r, bits, sign - 1)), NULL);
  ir_expr is_negative = ir_binary (r->p, IR_X_ULE, value_from_number (r, bits, sign), x);
  ir_expr result = magnitude_condition (r, magnitude, both);
  if (positive & ~both)
    result = or_conditions (
        r, result,
        and_conditions (r, ir_not (r->p, is_negative), magnitude_condition (r, magnitude, positive & ~both)));
  if (negative & ~both)
    result = or_conditions (r, result,
                            and_conditions (r, is_negative, magnitude_condition (r, magnitude, negative & ~both)));
  if (bits < 80) return result;
  return ir_ite (r->p, malformed_condition (r, magnitude), value_from_number (r, 1, both >> SIGNALLING & 1), result);
}

bool translate_classification (routine *r, LLVMValueRef call, const char *name) {
  if (strncmp (name, "llvm.is.fpclass.", 16)) return false;
  LLVMTypeKind kind = LLVMGetTypeKind (LLVMTypeOf (LLVMGetOperand (call, 0)));
  if (kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind && kind != LLVMX86_FP80TypeKind) return false;
  uint64_t set = LLVMConstIntGetZExtValue (LLVMGetOperand (call, 1));
  unsigned positive = 0, negative = 0;
  for (unsigned c = 0; c < NUM_CLASSES; c++) {
    positive |= (unsigned) (set >> llvm_bit[c].positive & 1) << c;
    negative |= (unsigned) (set >> llvm_bit[c].negative & 1) << c;
  }
  call_bind_result (r, call, class_condition (r, call_argument (r, call, 0), positive, negative));
  return true;
}
