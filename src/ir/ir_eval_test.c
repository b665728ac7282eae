// ir_eval_op against plain C: exhaustively for narrow values, by corner and random values for wide ones.
#include <math.h>

#include "base/test.h"
#include "ir/random_program_test.h"

static long as_signed (unsigned long v, unsigned bits) {
  return v >> (bits - 1) & 1 ? (long) v - (1L << bits) : (long) v;
}
static unsigned long cut (long v, unsigned bits) { return (unsigned long) v & ((1ul << bits) - 1); }
static bool out_of_range (long v, unsigned bits) { return v < -(1L << (bits - 1)) || v >= 1L << (bits - 1); }

// The reference for numbers of a few bits: computes with long.
static unsigned long naive (ir_expr_op op, unsigned bits, unsigned long a, unsigned long b) {
  long x = as_signed (a, bits), y = as_signed (b, bits);
  unsigned long all = (1ul << bits) - 1, r = 0;
  switch (op) {
  case IR_X_ADD: return cut (x + y, bits);
  case IR_X_SUB: return cut (x - y, bits);
  case IR_X_MUL: return cut (x * y, bits);
  case IR_X_UDIV: return b ? a / b : all;
  case IR_X_SDIV: return b ? cut (x / y, bits) : all;
  case IR_X_UREM: return b ? a % b : a;
  case IR_X_SREM: return b ? cut (x % y, bits) : a;
  case IR_X_SHL: return b < bits ? a << b & all : 0;
  case IR_X_LSHR: return b < bits ? a >> b : 0;
  case IR_X_ASHR: return cut (x >> (b < bits ? b : bits), bits);
  case IR_X_AND: return a & b;
  case IR_X_OR: return a | b;
  case IR_X_XOR: return a ^ b;
  case IR_X_EQ: return a == b;
  case IR_X_NE: return a != b;
  case IR_X_ULT: return a < b;
  case IR_X_ULE: return a <= b;
  case IR_X_SLT: return x < y;
  case IR_X_SLE: return x <= y;
  case IR_X_SADDO: return out_of_range (x + y, bits);
  case IR_X_SSUBO: return out_of_range (x - y, bits);
  case IR_X_SMULO: return out_of_range (x * y, bits);
  case IR_X_UADDO: return a + b > all;
  case IR_X_USUBO: return a < b;
  case IR_X_UMULO: return a * b > all;
  case IR_X_CTPOP:
    for (; a; a >>= 1) r += a & 1;
    return r;
  case IR_X_CTLZ:
    for (r = bits; a; a >>= 1) r--;
    return r;
  case IR_X_CTTZ:
    for (r = 0; r < bits && !(a >> r & 1); r++) {}
    return r;
  case IR_X_BITREV:
    for (unsigned i = 0; i < bits; i++) r |= (a >> i & 1) << (bits - 1 - i);
    return r;
  default: fail (); return 0;
  }
}

static void narrow_integers_match_plain_c (void **state) {
  (void) state;
  for (unsigned bits = 1; bits <= 5; bits++)
    for (ir_expr_op op = IR_X_ADD; op <= IR_X_BITREV; op++) {
      if (op == IR_X_ITE || op == IR_X_ZEXT || op == IR_X_SEXT || op == IR_X_TRUNC || op == IR_X_BSWAP) continue;
      unsigned result = ir_expr_arity (op) == 2 ? ir_result_bits (op, bits) : bits;
      for (unsigned long a = 0; a < 1ul << bits; a++)
        for (unsigned long b = 0; b < 1ul << bits; b++) {
          unsigned long got = (unsigned long) ir_eval_op (op, result, bits, (ir_value[3]){a, b});
          if (got != (naive (op, bits, a, b) & ((1ul << result) - 1)))
            fail_msg ("%s of %lu and %lu in %u bits: %lu, not %lu", ir_expr_op_text[op], a, b, bits, got,
                      naive (op, bits, a, b));
        }
    }
}

static void words_match_plain_c (void **state) {
  (void) state;
  rng r = {11};
  for (unsigned i = 0; i < 20000; i++) {
    uint64_t a = (uint64_t) random_value (&r, 64), b = (uint64_t) random_value (&r, 64);
    int64_t x = (int64_t) a, y = (int64_t) b, s;
    ir_value v[3] = {a, b};
    assert_true (ir_eval_op (IR_X_ADD, 64, 64, v) == a + b);
    assert_true (ir_eval_op (IR_X_MUL, 64, 64, v) == a * b);
    assert_true (ir_eval_op (IR_X_SADDO, 1, 64, v) == __builtin_add_overflow (x, y, &s));
    assert_true (ir_eval_op (IR_X_SMULO, 1, 64, v) == __builtin_mul_overflow (x, y, &s));
    assert_true (ir_eval_op (IR_X_BSWAP, 64, 64, v) == __builtin_bswap64 (a));
    assert_true (ir_eval_op (IR_X_SEXT, 128, 64, v) == (ir_value) (__int128) x);
    if (y && y != -1) assert_true (ir_eval_op (IR_X_SDIV, 64, 64, v) == (uint64_t) (x / y));
    ir_value wide[3] = {random_value (&r, 128), random_value (&r, 128)};
    ir_value sum = ir_eval_op (IR_X_ADD, 128, 128, wide);
    assert_true (ir_eval_op (IR_X_SUB, 128, 128, (ir_value[3]){sum, wide[1]}) == wide[0]);
    if (!wide[1]) continue;
    ir_value q = ir_eval_op (IR_X_UDIV, 128, 128, wide), m = ir_eval_op (IR_X_UREM, 128, 128, wide);
    assert_true (q * wide[1] + m == wide[0] && m < wide[1]);
  }
}

static ir_value double_bits (double d) {
  uint64_t u;
  return memcpy (&u, &d, sizeof u), u;
}
static ir_value float_bits (float f) {
  uint32_t u;
  return memcpy (&u, &f, sizeof u), u;
}
static ir_value long_bits (long double l) {
  ir_value u = 0;
  return memcpy (&u, &l, 10), u;
}

static const double floats[] = {
    0.0,          -0.0,          1.0,    -1.5,    0.1,    1e300,  -1e-300,  5e-324,    1e38, 4294967295.5,
    2147483648.0, -2147483649.0, 9.3e18, -9.3e18, 1.8e19, 1.9e19, INFINITY, -INFINITY, NAN,  0.49999999999999994,
    2.5,          -3.5};
enum { NUM_FLOATS = sizeof floats / sizeof *floats };

static void floats_match_plain_c (void **state) {
  (void) state;
  for (unsigned i = 0; i < NUM_FLOATS; i++)
    for (unsigned j = 0; j < NUM_FLOATS; j++) {
      volatile double a = floats[i], b = floats[j];
      volatile float fa = (float) a, fb = (float) b;
      volatile long double la = a, lb = b;
      ir_value v[3] = {double_bits (a), double_bits (b)}, f[3] = {float_bits (fa), float_bits (fb)},
               l[3] = {long_bits (la), long_bits (lb)};
      bool is_nan = isnan (a + b);
      assert_true (is_nan || ir_eval_op (IR_X_FADD, 64, 64, v) == double_bits (a + b));
      assert_true (is_nan || ir_eval_op (IR_X_FADD, 32, 32, f) == float_bits (fa + fb) || isnan (fa + fb));
      assert_true (is_nan || ir_eval_op (IR_X_FADD, 80, 80, l) == long_bits (la + lb));
      assert_true (isnan (a * b) || ir_eval_op (IR_X_FMUL, 64, 64, v) == double_bits (a * b));
      assert_true (isnan (a / b) || ir_eval_op (IR_X_FDIV, 64, 64, v) == double_bits (a / b));
      assert_true (isnan (fmod (a, b)) || ir_eval_op (IR_X_FREM, 64, 64, v) == double_bits (fmod (a, b)));
      assert_true (ir_eval_op (IR_X_FLT, 1, 64, v) == (a < b));
      assert_true (ir_eval_op (IR_X_FLE, 1, 32, f) == (fa <= fb));
      assert_true (ir_eval_op (IR_X_FEQ, 1, 80, l) == (la == lb));
      assert_true (ir_eval_op (IR_X_FUNO, 1, 64, v) == (isnan (a) || isnan (b)));
    }
  for (unsigned i = 0; i < NUM_FLOATS; i++) {
    volatile double a = floats[i];
    ir_value v[3] = {double_bits (a)};
    assert_true (ir_eval_op (IR_X_FNEG, 64, 64, v) == double_bits (-a));
    if (isnan (a)) continue;
    assert_true (ir_eval_op (IR_X_FABS, 64, 64, v) == double_bits (fabs (a)));
    assert_true (ir_eval_op (IR_X_FFLOOR, 64, 64, v) == double_bits (floor (a)));
    assert_true (ir_eval_op (IR_X_FCEIL, 64, 64, v) == double_bits (ceil (a)));
    assert_true (ir_eval_op (IR_X_FTRUNC, 64, 64, v) == double_bits (trunc (a)));
    assert_true (ir_eval_op (IR_X_FROUND, 64, 64, v) == double_bits (round (a)));
    assert_true (a < 0 || ir_eval_op (IR_X_FSQRT, 64, 64, v) == double_bits (sqrt (a)));
    assert_true (ir_eval_op (IR_X_FCONV, 32, 64, v) == float_bits ((float) a));
    assert_true (ir_eval_op (IR_X_FCONV, 80, 64, v) == long_bits (a));
  }
}

static void conversions_are_total (void **state) {
  (void) state;
  static const struct {
    double from;
    uint64_t to_i32, to_i64, to_u32, to_u64;
    uint8_t to_i8;
  } cases[] = {
      {-1.9, 0xffffffff, UINT64_MAX, 0xffffffff, UINT64_MAX, 0xff},
      {300.7, 300, 300, 300, 300, 44},
      {2147483648.0, 0x80000000, 2147483648u, 2147483648u, 2147483648u, 0},
      {4294967296.0, 0x80000000, 4294967296u, 0, 4294967296u, 0},
      {9223372036854775808.0, 0x80000000, UINT64_C (1) << 63, 0, UINT64_C (1) << 63, 0},
      {1e19, 0x80000000, UINT64_C (1) << 63, 0, 10000000000000000000u, 0},
      {1e300, 0x80000000, UINT64_C (1) << 63, 0, UINT64_C (1) << 63, 0},
      {NAN, 0x80000000, UINT64_C (1) << 63, 0, UINT64_C (1) << 63, 0},
      {-INFINITY, 0x80000000, UINT64_C (1) << 63, 0, UINT64_C (1) << 63, 0},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    ir_value v[3] = {double_bits (cases[i].from)};
    assert_true (ir_eval_op (IR_X_FTOSI, 32, 64, v) == cases[i].to_i32);
    assert_true (ir_eval_op (IR_X_FTOSI, 64, 64, v) == cases[i].to_i64);
    assert_true (ir_eval_op (IR_X_FTOUI, 32, 64, v) == cases[i].to_u32);
    assert_true (ir_eval_op (IR_X_FTOUI, 64, 64, v) == cases[i].to_u64);
    assert_true (ir_eval_op (IR_X_FTOSI, 8, 64, v) == cases[i].to_i8);
  }
  rng r = {3};
  for (unsigned i = 0; i < 2000; i++) {
    int64_t x = (int64_t) rng_next (&r) >> rng_below (&r, 64);
    ir_value v[3] = {(uint64_t) x};
    assert_true (ir_eval_op (IR_X_SITOF, 32, 64, v) == float_bits ((float) x));
    assert_true (ir_eval_op (IR_X_SITOF, 64, 64, v) == double_bits ((double) x));
    assert_true (ir_eval_op (IR_X_UITOF, 32, 64, v) == float_bits ((float) (uint64_t) x));
    assert_true (ir_eval_op (IR_X_UITOF, 80, 64, v) == long_bits ((long double) (uint64_t) x));
    volatile long double back = (long double) x;
    assert_true (ir_eval_op (IR_X_FTOSI, 64, 80, (ir_value[3]){long_bits (back)}) == (uint64_t) x);
  }
}

// Every operator of every width has a value within its width, for all operands.
static void everything_is_total (void **state) {
  (void) state;
  rng r = {5};
  for (ir_expr_op op = 0; op < IR_NUM_EXPR_OPS; op++)
    for (unsigned bits = 1; bits <= 128; bits++)
      for (unsigned i = 0; i < 20; i++) {
        unsigned from = i % 2 ? bits : 1 + rng_below (&r, 128);
        bool converts = op == IR_X_ZEXT || op == IR_X_SEXT || op == IR_X_TRUNC || op >= IR_X_FCONV;
        if (!converts) from = bits;
        ir_value v[3] = {random_value (&r, op == IR_X_ITE ? 1 : from), random_value (&r, from),
                         random_value (&r, from)};
        assert_true ((ir_eval_op (op, bits, from, v) & ~ir_mask (bits)) == 0);
      }
}

TEST_MAIN (cmocka_unit_test (narrow_integers_match_plain_c), cmocka_unit_test (words_match_plain_c),
           cmocka_unit_test (floats_match_plain_c), cmocka_unit_test (conversions_are_total),
           cmocka_unit_test (everything_is_total))
