// Intrinsics that compute on integers (counting, saturation, overflow, funnel shifts) and floats (rounding, sign,
// minimum).  Each becomes one expression; their forms for vectors are not supported.
#include <string.h>

#include "base/text.h"
#include "front/translate_impl.h"

#define NOTHING ((ir_expr){IR_NONE})

static ir_expr all_one_bits (routine *r, unsigned bits) {
  return value_resize (r, value_from_number (r, 1, 1), bits, true);
}

// ---- integers ----------------------------------------------------------------------------------------
typedef struct named_operator {
  const char *name;
  ir_expr_op op;
} named_operator;

static const named_operator unary_integer[] = {{"llvm.ctpop.", IR_X_CTPOP},
                                               {"llvm.ctlz.", IR_X_CTLZ},
                                               {"llvm.cttz.", IR_X_CTTZ},
                                               {"llvm.bswap.", IR_X_BSWAP},
                                               {"llvm.bitreverse.", IR_X_BITREV}};

// The extreme is `a` if `a op b` is true, else `b`; with `swap` the other way round.
static const struct {
  const char *name;
  ir_expr_op op;
  bool swap;
} extremes[] = {{"llvm.smax.", IR_X_SLT, true},
                {"llvm.smin.", IR_X_SLT, false},
                {"llvm.umax.", IR_X_ULT, true},
                {"llvm.umin.", IR_X_ULT, false}};

static const struct {
  const char *name;
  ir_expr_op result, overflow;
} checked[] = {{"llvm.sadd.with.overflow.", IR_X_ADD, IR_X_SADDO}, {"llvm.ssub.with.overflow.", IR_X_SUB, IR_X_SSUBO},
               {"llvm.smul.with.overflow.", IR_X_MUL, IR_X_SMULO}, {"llvm.uadd.with.overflow.", IR_X_ADD, IR_X_UADDO},
               {"llvm.usub.with.overflow.", IR_X_SUB, IR_X_USUBO}, {"llvm.umul.with.overflow.", IR_X_MUL, IR_X_UMULO}};

static const struct {
  const char *name;
  ir_expr_op result, overflow;
  bool is_signed, subtracts;
} saturating[] = {{"llvm.sadd.sat.", IR_X_ADD, IR_X_SADDO, true, false},
                  {"llvm.ssub.sat.", IR_X_SUB, IR_X_SSUBO, true, true},
                  {"llvm.uadd.sat.", IR_X_ADD, IR_X_UADDO, false, false},
                  {"llvm.usub.sat.", IR_X_SUB, IR_X_USUBO, false, true}};

#define FOR_ROWS(I, TABLE) for (unsigned I = 0; I < sizeof (TABLE) / sizeof *(TABLE); I++)

static ir_expr saturating_operation (routine *r, unsigned row, ir_expr a, ir_expr b) {
  unsigned bits = value_bits (r, a);
  ir_expr limit = saturating[row].subtracts ? value_from_number (r, bits, 0) : all_one_bits (r, bits);
  if (saturating[row].is_signed) {  // the limit has the sign of the first operand
    ir_expr smallest = value_from_number (r, bits, (ir_value) 1 << (bits - 1));
    ir_expr negative = ir_binary (r->p, IR_X_SLT, a, value_from_number (r, bits, 0));
    limit = ir_ite (r->p, negative, smallest, ir_binary (r->p, IR_X_SUB, smallest, value_from_number (r, bits, 1)));
  }
  return ir_ite (r->p, ir_binary (r->p, saturating[row].overflow, a, b), limit,
                 ir_binary (r->p, saturating[row].result, a, b));
}

// fshl: the upper half of (a:b) << (c mod width); fshr: the lower half of (a:b) >> (c mod width).
static ir_expr funnel_shift (routine *r, bool left, ir_expr a, ir_expr b, ir_expr c) {
  unsigned bits = value_bits (r, a);
  ir_expr n = ir_binary (r->p, IR_X_UREM, c, value_from_number (r, bits, bits));
  ir_expr rest = ir_binary (r->p, IR_X_SUB, value_from_number (r, bits, bits), n);
  ir_expr high = ir_binary (r->p, IR_X_SHL, a, left ? n : rest), low = ir_binary (r->p, IR_X_LSHR, b, left ? rest : n);
  return ir_binary (r->p, IR_X_OR, high, low);
}

static ir_expr integer_result (routine *r, LLVMValueRef call, const char *name) {
  ir_program *p = r->p;
  unsigned bits = call_bits (r, call);
  ir_expr a = call_argument (r, call, 0), b = call_argument (r, call, 1);
  FOR_ROWS (i, unary_integer)
  if (text_starts_with (name, unary_integer[i].name)) return ir_unary (p, unary_integer[i].op, bits, a);
  FOR_ROWS (i, extremes) {
    if (!text_starts_with (name, extremes[i].name)) continue;
    return ir_ite (p, ir_binary (p, extremes[i].op, a, b), extremes[i].swap ? b : a, extremes[i].swap ? a : b);
  }
  FOR_ROWS (i, saturating) if (text_starts_with (name, saturating[i].name)) return saturating_operation (r, i, a, b);
  if (text_starts_with (name, "llvm.abs.")) {
    ir_expr negative = ir_binary (p, IR_X_SLT, a, value_from_number (r, bits, 0));
    return ir_ite (
        p, negative,
        ir_binary_flags (p, IR_X_SUB, value_from_number (r, bits, 0), a, !LLVMIsNull (LLVMGetOperand (call, 1)), false),
        a);
  }
  if (text_starts_with (name, "llvm.fshl.") || text_starts_with (name, "llvm.fshr."))
    return funnel_shift (r, name[8] == 'l', a, b, call_argument (r, call, 2));
  return NOTHING;
}

static bool translate_checked (routine *r, LLVMValueRef call, const char *name) {
  FOR_ROWS (i, checked) {
    if (!text_starts_with (name, checked[i].name)) continue;
    ir_expr a = call_argument (r, call, 0), b = call_argument (r, call, 1);
    value_bind (r, call, value_assign (r, ir_binary (r->p, checked[i].result, a, b), NULL));
    ir_expr second = value_assign (r, ir_binary (r->p, checked[i].overflow, a, b), NULL);
    map_insert (&r->seconds, llvm_key (call), second.i, NULL);
    return true;
  }
  return false;
}

static bool is_vector (LLVMValueRef v) { return LLVMGetTypeKind (LLVMTypeOf (v)) == LLVMVectorTypeKind; }

bool translate_bit_intrinsic (routine *r, LLVMValueRef call, const char *name) {
  if (is_vector (call)) return false;
  if (translate_checked (r, call, name)) return true;
  if (!call_bits (r, call)) return false;
  ir_expr x = integer_result (r, call, name);
  if (x.i == IR_NONE) return false;
  call_bind_result (r, call, x);
  return true;
}

// ---- floats ------------------------------------------------------------------------------------------
static const named_operator unary_float[] = {
    {"llvm.fabs.", IR_X_FABS},  {"llvm.sqrt.", IR_X_FSQRT},   {"llvm.floor.", IR_X_FFLOOR},
    {"llvm.ceil.", IR_X_FCEIL}, {"llvm.trunc.", IR_X_FTRUNC}, {"llvm.round.", IR_X_FROUND},
    {"sqrt", IR_X_FSQRT},       {"sqrtf", IR_X_FSQRT},        {"sqrtl", IR_X_FSQRT}};

static ir_expr float_sign_bit (routine *r, unsigned bits) {
  return value_from_number (r, bits, (ir_value) 1 << (bits - 1));
}

static ir_expr with_sign_of (routine *r, ir_expr x, ir_expr sign) {
  unsigned bits = value_bits (r, x);
  return ir_binary (r->p, IR_X_OR, ir_unary (r->p, IR_X_FABS, bits, x),
                    ir_binary (r->p, IR_X_AND, sign, float_sign_bit (r, bits)));
}

// Rounds to nearest, ties to even: adding and subtracting 2^(mantissa bits) leaves no room for a fraction.
static ir_expr round_to_even (routine *r, ir_expr x) {
  unsigned bits = value_bits (r, x);
  double power = bits == 32 ? 0x1p23 : bits == 64 ? 0x1p52 : 0x1p63;
  uint64_t image;
  memcpy (&image, &power, sizeof image);
  ir_expr big = ir_unary (r->p, IR_X_FCONV, bits, value_from_number (r, 64, image));
  if (bits == 64) big = value_from_number (r, 64, image);
  ir_expr magnitude = value_assign (r, ir_unary (r->p, IR_X_FABS, bits, x), NULL);
  ir_expr even = ir_binary (r->p, IR_X_FSUB, ir_binary (r->p, IR_X_FADD, magnitude, big), big);
  return ir_ite (r->p, ir_binary (r->p, IR_X_FLT, magnitude, big), with_sign_of (r, even, x), x);
}

static ir_expr extreme_float (routine *r, bool smaller, ir_expr a, ir_expr b) {
  ir_program *p = r->p;
  ir_expr chosen = ir_ite (p, ir_binary (p, IR_X_FLT, a, b), smaller ? a : b, smaller ? b : a);
  chosen = ir_ite (p, ir_binary (p, IR_X_FUNO, b, b), a, chosen);
  return ir_ite (p, ir_binary (p, IR_X_FUNO, a, a), b, chosen);
}

static ir_expr float_result (routine *r, LLVMValueRef call, const char *name) {
  ir_program *p = r->p;
  unsigned bits = call_bits (r, call);
  ir_expr a = call_argument (r, call, 0), b = call_argument (r, call, 1);
  FOR_ROWS (i, unary_float) {
    bool whole = unary_float[i].name[0] == 's';
    if (whole ? !strcmp (name, unary_float[i].name) : text_starts_with (name, unary_float[i].name))
      return ir_unary (p, unary_float[i].op, bits, a);
  }
  if (text_starts_with (name, "llvm.rint.") || text_starts_with (name, "llvm.nearbyint.") ||
      text_starts_with (name, "llvm.roundeven."))
    return round_to_even (r, a);
  if (text_starts_with (name, "llvm.copysign.")) return with_sign_of (r, a, b);
  if (text_starts_with (name, "llvm.minnum.") || text_starts_with (name, "llvm.minimumnum."))
    return extreme_float (r, true, a, b);
  if (text_starts_with (name, "llvm.maxnum.") || text_starts_with (name, "llvm.maximumnum."))
    return extreme_float (r, false, a, b);
  if (text_starts_with (name, "llvm.fmuladd.")) {
    return ir_binary (p, IR_X_FADD, ir_binary (p, IR_X_FMUL, a, b), call_argument (r, call, 2));
  }
  if (!strcmp (name, "fmod") || !strcmp (name, "fmodf") || !strcmp (name, "fmodl"))
    return ir_binary (p, IR_X_FREM, a, b);
  return NOTHING;
}

bool translate_float_intrinsic (routine *r, LLVMValueRef call, const char *name) {
  if (!type_is_float (LLVMTypeOf (call)) || !LLVMGetNumArgOperands (call)) return false;
  ir_expr x = float_result (r, call, name);
  if (x.i == IR_NONE) return false;
  call_bind_result (r, call, x);
  return true;
}
