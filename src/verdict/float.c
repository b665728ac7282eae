// Floating-point arithmetic: each format (float, double, x87 extended) is computed by the host in that format, so the
// results are those of the compiled program.  No operation is computed in a wider format and rounded again.
// Conversions to integers that C leaves undefined give what x86-64 gives: the smallest signed number of the register
// used.
#include <math.h>

#include "verdict/verdict_impl.h"

static float to_f32 (ir_value v) {
  uint32_t bits = (uint32_t) v;
  float x;
  memcpy (&x, &bits, sizeof x);
  return x;
}

static double to_f64 (ir_value v) {
  uint64_t bits = (uint64_t) v;
  double x;
  memcpy (&x, &bits, sizeof x);
  return x;
}

static long double to_f80 (ir_value v) {
  long double x = 0;
  memcpy (&x, &v, 10);
  return x;
}

static ir_value of_f32 (float x) {
  uint32_t bits;
  memcpy (&bits, &x, sizeof bits);
  return bits;
}

static ir_value of_f64 (double x) {
  uint64_t bits;
  memcpy (&bits, &x, sizeof bits);
  return bits;
}

static ir_value of_f80 (long double x) {
  ir_value bits = 0;
  memcpy (&bits, &x, 10);
  return bits;
}

static long double to_long_double (unsigned bits, ir_value v) {
  return bits == 32 ? to_f32 (v) : bits == 64 ? to_f64 (v) : to_f80 (v);
}

static ir_value from_long_double (unsigned bits, long double x) {
  return bits == 32 ? of_f32 ((float) x) : bits == 64 ? of_f64 ((double) x) : of_f80 (x);
}

static ir_value compute_f32 (ir_expr_op op, float x, float y) {
  switch (op) {
  case IR_X_FADD: return of_f32 (x + y);
  case IR_X_FSUB: return of_f32 (x - y);
  case IR_X_FMUL: return of_f32 (x * y);
  case IR_X_FDIV: return of_f32 (x / y);
  case IR_X_FREM: return of_f32 (fmodf (x, y));
  case IR_X_FSQRT: return of_f32 (sqrtf (x));
  case IR_X_FFLOOR: return of_f32 (floorf (x));
  case IR_X_FCEIL: return of_f32 (ceilf (x));
  case IR_X_FTRUNC: return of_f32 (truncf (x));
  default: return of_f32 (roundf (x));
  }
}

static ir_value compute_f64 (ir_expr_op op, double x, double y) {
  switch (op) {
  case IR_X_FADD: return of_f64 (x + y);
  case IR_X_FSUB: return of_f64 (x - y);
  case IR_X_FMUL: return of_f64 (x * y);
  case IR_X_FDIV: return of_f64 (x / y);
  case IR_X_FREM: return of_f64 (fmod (x, y));
  case IR_X_FSQRT: return of_f64 (sqrt (x));
  case IR_X_FFLOOR: return of_f64 (floor (x));
  case IR_X_FCEIL: return of_f64 (ceil (x));
  case IR_X_FTRUNC: return of_f64 (trunc (x));
  default: return of_f64 (round (x));
  }
}

static ir_value compute_f80 (ir_expr_op op, long double x, long double y) {
  switch (op) {
  case IR_X_FADD: return of_f80 (x + y);
  case IR_X_FSUB: return of_f80 (x - y);
  case IR_X_FMUL: return of_f80 (x * y);
  case IR_X_FDIV: return of_f80 (x / y);
  case IR_X_FREM: return of_f80 (fmodl (x, y));
  case IR_X_FSQRT: return of_f80 (sqrtl (x));
  case IR_X_FFLOOR: return of_f80 (floorl (x));
  case IR_X_FCEIL: return of_f80 (ceill (x));
  case IR_X_FTRUNC: return of_f80 (truncl (x));
  default: return of_f80 (roundl (x));
  }
}

// x86-64 converts in registers of 32 or 64 bits (128: in software); narrower results are the lower part of 32.
static ir_value to_signed (unsigned bits, long double x) {
  unsigned width = bits <= 32 ? 32 : bits <= 64 ? 64 : 128;
  long double limit = ldexpl (1.0L, (int) width - 1), whole = truncl (x);
  bool fits = whole >= -limit && whole < limit;
  return fits ? (ir_value) (__int128) whole : (ir_value) 1 << (width - 1);
}

// Converts to unsigned numbers through the next wider signed register, where there is one.
static ir_value to_unsigned (unsigned bits, long double x) {
  if (bits <= 32) return to_signed (bits <= 16 ? 32 : 64, x);
  unsigned width = bits <= 64 ? 64 : 128;
  long double whole = truncl (x);
  bool fits = whole >= 0 && whole < ldexpl (1.0L, (int) width);
  return fits ? (ir_value) whole : to_signed (width, x);
}

static ir_value from_signed (unsigned bits, __int128 x) {
  return bits == 32 ? of_f32 ((float) x) : bits == 64 ? of_f64 ((double) x) : of_f80 ((long double) x);
}

static ir_value from_unsigned (unsigned bits, ir_value x) {
  return bits == 32 ? of_f32 ((float) x) : bits == 64 ? of_f64 ((double) x) : of_f80 ((long double) x);
}

ir_value eval_float (ir_expr_op op, unsigned bits, unsigned operand_bits, ir_value l, ir_value r) {
  ir_value sign = (ir_value) 1 << (operand_bits - 1);
  long double x = 0, y = 0;  // exact in the widest format: enough for comparisons and conversions
  if (op != IR_X_SITOF && op != IR_X_UITOF) x = to_long_double (operand_bits, l), y = to_long_double (operand_bits, r);
  switch (op) {
  case IR_X_FNEG: return l ^ sign;
  case IR_X_FABS: return l & ~sign;
  case IR_X_FEQ: return x == y;
  case IR_X_FLT: return x < y;
  case IR_X_FLE: return x <= y;
  case IR_X_FUNO: return isnan (x) || isnan (y);
  case IR_X_FCONV: return from_long_double (bits, x);
  case IR_X_FTOSI: return to_signed (bits, x);
  case IR_X_FTOUI: return to_unsigned (bits, x);
  case IR_X_SITOF: return from_signed (bits, value_signed (l, operand_bits));
  case IR_X_UITOF: return from_unsigned (bits, l);
  default: break;
  }
  return operand_bits == 32   ? compute_f32 (op, to_f32 (l), to_f32 (r))
         : operand_bits == 64 ? compute_f64 (op, to_f64 (l), to_f64 (r))
                              : compute_f80 (op, to_f80 (l), to_f80 (r));
}
