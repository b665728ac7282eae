// Concrete evaluation of one operator: the value of an expression for given values of its operands.
//
// Used to fold constants, and where speed does not matter.  Total, as ir.h demands: no operand makes this code itself
// undefined.  Floats are evaluated with float, double and long double of the machine: operations that round once are
// done in the format of their operands, exact operations are done in long double.  Conversions of floats out of range
// have the result of x86-64 code compiled by clang (cvttsd2si: 0x80..0), so that compiled and interpreted programs
// print the same.
#include <math.h>
#include <string.h>

#include "ir/ir_impl.h"

typedef __int128 wide;  // signed view of a value

static wide signed_value (ir_value x, unsigned bits) {
  if (bits >= 128) return (wide) x;
  ir_value sign = (ir_value) 1 << (bits - 1);
  return (wide) ((x ^ sign) - sign);
}

// ---- integers ----------------------------------------------------------------------------------------

static ir_value divide_integers (ir_expr_op op, unsigned bits, ir_value a, ir_value b) {
  bool is_rem = op == IR_X_UREM || op == IR_X_SREM;
  if (!b) return is_rem ? a : ~(ir_value) 0;
  if (op == IR_X_UDIV) return a / b;
  if (op == IR_X_UREM) return a % b;
  wide x = signed_value (a, bits), y = signed_value (b, bits);
  if (y == -1) return is_rem ? 0 : -a;  // x / -1 wraps if x is the least value
  return (ir_value) (is_rem ? x % y : x / y);
}

static ir_value shift (ir_expr_op op, unsigned bits, ir_value a, ir_value amount) {
  bool negative = op == IR_X_ASHR && a >> (bits - 1) & 1;
  if (amount >= bits) return negative ? ~(ir_value) 0 : 0;
  unsigned n = (unsigned) amount;
  if (op == IR_X_SHL) return a << n;
  ir_value low = a >> n;
  return negative && n ? low | (ir_mask (n) << (bits - n)) : low;
}

static bool eval_integer_comparison (ir_expr_op op, unsigned bits, ir_value a, ir_value b) {
  wide x = signed_value (a, bits), y = signed_value (b, bits);
  switch (op) {
  case IR_X_EQ: return a == b;
  case IR_X_NE: return a != b;
  case IR_X_ULT: return a < b;
  case IR_X_ULE: return a <= b;
  case IR_X_SLT: return x < y;
  default: return x <= y;
  }
}

static bool overflows (ir_expr_op op, unsigned bits, ir_value a, ir_value b) {
  wide x = signed_value (a, bits), y = signed_value (b, bits), r;
  ir_value u;
  bool beyond_128;
  switch (op) {
  case IR_X_UADDO: return __builtin_add_overflow (a, b, &u) || u > ir_mask (bits);
  case IR_X_USUBO: return a < b;
  case IR_X_UMULO: return __builtin_mul_overflow (a, b, &u) || u > ir_mask (bits);
  case IR_X_SADDO: beyond_128 = __builtin_add_overflow (x, y, &r); break;
  case IR_X_SSUBO: beyond_128 = __builtin_sub_overflow (x, y, &r); break;
  default: beyond_128 = __builtin_mul_overflow (x, y, &r); break;
  }
  return beyond_128 || signed_value ((ir_value) r & ir_mask (bits), bits) != r;
}

static ir_value eval_bit_count (ir_expr_op op, unsigned bits, ir_value a) {
  unsigned ones = 0, low = bits, high = bits;  // low: zeros below the lowest one bit, high: zeros above the highest
  for (unsigned i = 0; i < bits; i++) {
    if (!(a >> i & 1)) continue;
    ones++;
    if (low == bits) low = i;
    high = bits - 1 - i;
  }
  return op == IR_X_CTPOP ? ones : op == IR_X_CTLZ ? high : low;
}

// Reverses the order of the groups of `group` bits.
static ir_value reverse_bit_groups (unsigned bits, ir_value a, unsigned group) {
  ir_value r = 0;
  for (unsigned i = 0; i < bits; i += group) r = r << group | (a >> i & ir_mask (group));
  return r;
}

// ---- floats ------------------------------------------------------------------------------------------

static long double float_value (ir_value x, unsigned bits) {
  float f;
  double d;
  long double l = 0;
  uint32_t w = (uint32_t) x;
  uint64_t q = (uint64_t) x;
  switch (bits) {
  case 32: return memcpy (&f, &w, sizeof f), f;
  case 64: return memcpy (&d, &q, sizeof d), d;
  case 80: return memcpy (&l, &x, 10), l;
  default: return 0;  // not a format of floats; ir_check rejects such an expression
  }
}

static ir_value float_bits (long double x, unsigned bits) {
  float f = (float) x;
  double d = (double) x;
  uint32_t w;
  uint64_t q;
  ir_value v = 0;
  switch (bits) {
  case 32: return memcpy (&w, &f, sizeof w), w;
  case 64: return memcpy (&q, &d, sizeof q), q;
  case 80: return memcpy (&v, &x, 10), v;
  default: return 0;
  }
}

static long double arithmetic_32 (ir_expr_op op, float a, float b) {
  switch (op) {
  case IR_X_FADD: return a + b;
  case IR_X_FSUB: return a - b;
  case IR_X_FMUL: return a * b;
  case IR_X_FDIV: return a / b;
  case IR_X_FREM: return fmodf (a, b);
  default: return sqrtf (a);
  }
}

static long double arithmetic_64 (ir_expr_op op, double a, double b) {
  switch (op) {
  case IR_X_FADD: return a + b;
  case IR_X_FSUB: return a - b;
  case IR_X_FMUL: return a * b;
  case IR_X_FDIV: return a / b;
  case IR_X_FREM: return fmod (a, b);
  default: return sqrt (a);
  }
}

static long double arithmetic_80 (ir_expr_op op, long double a, long double b) {
  switch (op) {
  case IR_X_FADD: return a + b;
  case IR_X_FSUB: return a - b;
  case IR_X_FMUL: return a * b;
  case IR_X_FDIV: return a / b;
  case IR_X_FREM: return fmodl (a, b);
  default: return sqrtl (a);
  }
}

static ir_value eval_arithmetic (ir_expr_op op, unsigned bits, ir_value x, ir_value y) {
  long double a = float_value (x, bits), b = float_value (y, bits);
  if (bits == 32) return float_bits (arithmetic_32 (op, (float) a, (float) b), 32);
  if (bits == 64) return float_bits (arithmetic_64 (op, (double) a, (double) b), 64);
  return float_bits (arithmetic_80 (op, a, b), bits);
}

static ir_value round_float (ir_expr_op op, unsigned bits, ir_value x) {
  long double a = float_value (x, bits);  // exact, and the result in the same format is exact, too
  switch (op) {
  case IR_X_FFLOOR: return float_bits (floorl (a), bits);
  case IR_X_FCEIL: return float_bits (ceill (a), bits);
  case IR_X_FTRUNC: return float_bits (truncl (a), bits);
  default: return float_bits (roundl (a), bits);
  }
}

static bool eval_float_comparison (ir_expr_op op, unsigned bits, ir_value x, ir_value y) {
  long double a = float_value (x, bits), b = float_value (y, bits);
  switch (op) {
  case IR_X_FEQ: return a == b;
  case IR_X_FLT: return isless (a, b);
  case IR_X_FLE: return islessequal (a, b);
  default: return isunordered (a, b);
  }
}

// The machine converts to 32, 64 (or, in software, 128) bits.  Narrower results are truncated from 32 bits.
static ir_value float_to_signed (long double x, unsigned bits) {
  unsigned width = bits <= 32 ? 32 : bits <= 64 ? 64 : 128;
  long double whole = truncl (x), bound = ldexpl (1, (int) width - 1);
  if (whole >= -bound && whole < bound) return (ir_value) (wide) whole;
  return (ir_value) 1 << (width - 1);
}

static ir_value float_to_unsigned (long double x, unsigned bits) {
  if (bits <= 16) return float_to_signed (x, 32);
  if (bits <= 32) return float_to_signed (x, 64);
  unsigned width = bits <= 64 ? 64 : 128;
  long double whole = truncl (x);
  if (whole >= 0 && whole < ldexpl (1, (int) width)) return (ir_value) whole;
  return float_to_signed (x, width);
}

static ir_value int_to_float (ir_expr_op op, unsigned bits, unsigned operand_bits, ir_value a) {
  if (op == IR_X_UITOF)
    return bits == 32   ? float_bits ((float) a, 32)
           : bits == 64 ? float_bits ((double) a, 64)
                        : float_bits ((long double) a, bits);
  wide x = signed_value (a, operand_bits);
  return bits == 32   ? float_bits ((float) x, 32)
         : bits == 64 ? float_bits ((double) x, 64)
                      : float_bits ((long double) x, bits);
}

// ---- all -----------------------------------------------------------------------------------------------

static ir_value evaluate_operator (ir_expr_op op, unsigned bits, unsigned from, const ir_value v[3]) {
  switch (op) {
  case IR_X_ADD: return v[0] + v[1];
  case IR_X_SUB: return v[0] - v[1];
  case IR_X_MUL: return v[0] * v[1];
  case IR_X_UDIV:
  case IR_X_SDIV:
  case IR_X_UREM:
  case IR_X_SREM: return divide_integers (op, bits, v[0], v[1]);
  case IR_X_SHL:
  case IR_X_LSHR:
  case IR_X_ASHR: return shift (op, bits, v[0], v[1]);
  case IR_X_AND: return v[0] & v[1];
  case IR_X_OR: return v[0] | v[1];
  case IR_X_XOR: return v[0] ^ v[1];
  case IR_X_EQ:
  case IR_X_NE:
  case IR_X_ULT:
  case IR_X_ULE:
  case IR_X_SLT:
  case IR_X_SLE: return eval_integer_comparison (op, from, v[0], v[1]);
  case IR_X_ITE: return v[0] ? v[1] : v[2];
  case IR_X_ZEXT:
  case IR_X_TRUNC: return v[0];
  case IR_X_SEXT: return (ir_value) signed_value (v[0], from);
  case IR_X_SADDO:
  case IR_X_SSUBO:
  case IR_X_SMULO:
  case IR_X_UADDO:
  case IR_X_USUBO:
  case IR_X_UMULO: return overflows (op, from, v[0], v[1]);
  case IR_X_CTPOP:
  case IR_X_CTLZ:
  case IR_X_CTTZ: return eval_bit_count (op, from, v[0]);
  case IR_X_BSWAP: return reverse_bit_groups (from, v[0], 8);
  case IR_X_BITREV: return reverse_bit_groups (from, v[0], 1);
  case IR_X_FADD:
  case IR_X_FSUB:
  case IR_X_FMUL:
  case IR_X_FDIV:
  case IR_X_FREM: return eval_arithmetic (op, from, v[0], v[1]);
  case IR_X_FSQRT: return eval_arithmetic (op, from, v[0], 0);
  case IR_X_FNEG: return v[0] ^ (ir_value) 1 << (from - 1);
  case IR_X_FABS: return v[0] & ir_mask (from - 1);
  case IR_X_FFLOOR:
  case IR_X_FCEIL:
  case IR_X_FTRUNC:
  case IR_X_FROUND: return round_float (op, from, v[0]);
  case IR_X_FEQ:
  case IR_X_FLT:
  case IR_X_FLE:
  case IR_X_FUNO: return eval_float_comparison (op, from, v[0], v[1]);
  case IR_X_FCONV: return float_bits (float_value (v[0], from), bits);
  case IR_X_FTOSI: return float_to_signed (float_value (v[0], from), bits);
  case IR_X_FTOUI: return float_to_unsigned (float_value (v[0], from), bits);
  case IR_X_SITOF:
  case IR_X_UITOF: return int_to_float (op, bits, from, v[0]);
  case IR_X_CONST:
  case IR_X_REG:
  case IR_X_ADDR:
  case IR_NUM_EXPR_OPS: break;
  }
  return 0;  // a leaf: it has no operands, and this function does not know its value
}

ir_value ir_eval_op (ir_expr_op op, unsigned bits, unsigned operand_bits, const ir_value args[3]) {
  return evaluate_operator (op, bits, operand_bits, args) & ir_mask (bits);
}
