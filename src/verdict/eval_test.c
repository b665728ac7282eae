// Expressions: hand-picked values of every operator, and a random comparison of the integer operators with plain C
// arithmetic on int64_t and uint32_t.
#include <float.h>
#include <math.h>

#include "verdict/verdict_test.h"

// Evaluates an operator on registers, so that nothing is folded while the expression is built.
static ir_value apply (ir_expr_op op, unsigned bits, unsigned operand_bits, ir_value l, ir_value r) {
  world w;
  world_init (&w, 1);
  ir_reg x = reg (&w, 0, operand_bits, "x"), y = reg (&w, 0, operand_bits, "y"), z = reg (&w, 0, bits, "z");
  ir_expr e = ir_expr_arity (op) == 1 ? ir_unary (w.p, op, bits, use (&w, 0, x))
                                      : ir_binary (w.p, op, use (&w, 0, x), use (&w, 0, y));
  EMIT (&w, 0, IR_ASSIGN, z, e);
  world_start (&w);
  ir_value *regs = w.m.threads[0].regs.data;
  regs[x.i] = l & value_mask (operand_bits);
  regs[y.i] = r & value_mask (operand_bits);
  go (&w, 0, 1);
  ir_value result = w.m.threads[0].regs.data[z.i];
  world_release (&w);
  return result;
}

static void division (void **state) {
  (void) state;
  assert_true (apply (IR_X_UDIV, 8, 8, 7, 0) == 0xff);
  assert_true (apply (IR_X_SDIV, 8, 8, 7, 0) == 0xff);
  assert_true (apply (IR_X_UREM, 8, 8, 7, 0) == 7);
  assert_true (apply (IR_X_SREM, 8, 8, 0x87, 0) == 0x87);
  assert_true (apply (IR_X_SDIV, 32, 32, 0x80000000, 0xffffffff) == 0x80000000);
  assert_true (apply (IR_X_SREM, 32, 32, 0x80000000, 0xffffffff) == 0);
  ir_value top = (ir_value) 1 << 127;
  assert_true (apply (IR_X_SDIV, 128, 128, top, ~(ir_value) 0) == top);
  assert_true (apply (IR_X_UDIV, 128, 128, top, 2) == top >> 1);
  assert_true (apply (IR_X_SDIV, 8, 8, 0xf9 /* -7 */, 2) == 0xfd);
  assert_true (apply (IR_X_SREM, 8, 8, 0xf9, 2) == 0xff);
}

static void shifts (void **state) {
  (void) state;
  assert_true (apply (IR_X_SHL, 32, 32, 1, 31) == 0x80000000);
  assert_true (apply (IR_X_SHL, 32, 32, 1, 32) == 0);
  assert_true (apply (IR_X_LSHR, 32, 32, 0x80000000, 40) == 0);
  assert_true (apply (IR_X_ASHR, 32, 32, 0x80000000, 40) == 0xffffffff);
  assert_true (apply (IR_X_ASHR, 32, 32, 0x40000000, 40) == 0);
  assert_true (apply (IR_X_ASHR, 8, 8, 0x80, 3) == 0xf0);
  assert_true (apply (IR_X_SHL, 128, 128, 1, 127) == (ir_value) 1 << 127);
}

static void widths_and_bits (void **state) {
  (void) state;
  assert_true (apply (IR_X_SEXT, 128, 8, 0x80, 0) == ~(ir_value) 0x7f);
  assert_true (apply (IR_X_ZEXT, 128, 8, 0x80, 0) == 0x80);
  assert_true (apply (IR_X_TRUNC, 8, 32, 0x1234, 0) == 0x34);
  assert_true (apply (IR_X_CTPOP, 64, 64, 0xff00ff, 0) == 16);
  assert_true (apply (IR_X_CTLZ, 32, 32, 1, 0) == 31);
  assert_true (apply (IR_X_CTLZ, 32, 32, 0, 0) == 32);
  assert_true (apply (IR_X_CTTZ, 16, 16, 0, 0) == 16);
  assert_true (apply (IR_X_CTTZ, 16, 16, 8, 0) == 3);
  assert_true (apply (IR_X_BSWAP, 32, 32, 0x11223344, 0) == 0x44332211);
  assert_true (apply (IR_X_BITREV, 8, 8, 0x13, 0) == 0xc8);
}

static void overflow_flags (void **state) {
  (void) state;
  assert_true (apply (IR_X_SADDO, 1, 8, 127, 1) == 1 && apply (IR_X_SADDO, 1, 8, 126, 1) == 0);
  assert_true (apply (IR_X_SSUBO, 1, 8, 0x80, 1) == 1 && apply (IR_X_SSUBO, 1, 8, 0, 0x80) == 1 &&
               apply (IR_X_SSUBO, 1, 8, 0xff, 0x80) == 0);
  assert_true (apply (IR_X_SMULO, 1, 32, 65536, 32768) == 1 && apply (IR_X_SMULO, 1, 32, 65536, 32767) == 0);
  assert_true (apply (IR_X_UADDO, 1, 8, 255, 1) == 1 && apply (IR_X_UADDO, 1, 8, 254, 1) == 0);
  assert_true (apply (IR_X_USUBO, 1, 8, 1, 2) == 1 && apply (IR_X_USUBO, 1, 8, 2, 2) == 0);
  assert_true (apply (IR_X_UMULO, 1, 64, (ir_value) 1 << 63, 2) == 1 &&
               apply (IR_X_UMULO, 1, 64, (ir_value) 1 << 62, 2) == 0);
  ir_value top = (ir_value) 1 << 127;
  assert_true (apply (IR_X_SMULO, 1, 128, top, 2) == 1 && apply (IR_X_SMULO, 1, 128, top, 1) == 0 &&
               apply (IR_X_UADDO, 1, 128, top, top) == 1);
}

static void random_integers (void **state) {
  (void) state;
  rng r = {12345};
  world w;
  world_init (&w, 1);
  ir_reg x = reg (&w, 0, 32, "x"), y = reg (&w, 0, 32, "y"), z = reg (&w, 0, 32, "z");
  static const ir_expr_op ops[] = {IR_X_ADD,  IR_X_SUB,  IR_X_MUL, IR_X_UDIV, IR_X_SDIV,
                                   IR_X_UREM, IR_X_SREM, IR_X_AND, IR_X_OR,   IR_X_XOR};
  enum { COUNT = sizeof ops / sizeof *ops };
  ir_expr e[COUNT], compare[4];
  for (unsigned i = 0; i < COUNT; i++) e[i] = ir_binary (w.p, ops[i], use (&w, 0, x), use (&w, 0, y));
  for (unsigned i = 0; i < 4; i++)
    compare[i] =
        ir_binary (w.p, (ir_expr_op[]){IR_X_ULT, IR_X_ULE, IR_X_SLT, IR_X_SLE}[i], use (&w, 0, x), use (&w, 0, y));
  EMIT (&w, 0, IR_ASSIGN, z, e[0]);
  world_start (&w);
  action a = action_of (&w.m, 0);
  for (int n = 0; n < 20000; n++) {
    uint32_t u = (uint32_t) rng_next (&r) >> rng_below (&r, 32),
             v = ((uint32_t) rng_next (&r) >> rng_below (&r, 32)) | 1;
    if (rng_below (&r, 2)) u = -u;
    if (rng_below (&r, 2)) v = -v;
    int64_t s = (int32_t) u, t = (int32_t) v;
    uint32_t expected[COUNT] = {u + v, u - v, u * v, u / v, (uint32_t) (s / t), u % v, (uint32_t) (s % t),
                                u & v, u | v, u ^ v};
    a.regs[x.i] = u;
    a.regs[y.i] = v;
    for (unsigned i = 0; i < COUNT; i++) assert_true (eval (&a, e[i]) == expected[i]);
    assert_true (eval (&a, compare[0]) == (u < v) && eval (&a, compare[1]) == (u <= v) &&
                 eval (&a, compare[2]) == (s < t) && eval (&a, compare[3]) == (s <= t));
  }
  world_release (&w);
}

static ir_value f32 (float x) {
  uint32_t u;
  memcpy (&u, &x, 4);
  return u;
}
static ir_value f64 (double x) {
  uint64_t u;
  memcpy (&u, &x, 8);
  return u;
}
static ir_value f80 (long double x) {
  ir_value u = 0;
  memcpy (&u, &x, 10);
  return u;
}

static void floats (void **state) {
  (void) state;
  assert_true (apply (IR_X_FADD, 64, 64, f64 (0.1), f64 (0.2)) == f64 (0.1 + 0.2));
  assert_true (apply (IR_X_FADD, 32, 32, f32 (0.1f), f32 (0.2f)) == f32 (0.1f + 0.2f));
  assert_true (apply (IR_X_FDIV, 80, 80, f80 (1.0L), f80 (3.0L)) == f80 (1.0L / 3.0L));
  assert_true (apply (IR_X_FMUL, 64, 64, f64 (DBL_MAX), f64 (2)) == f64 (INFINITY));
  assert_true (apply (IR_X_FSUB, 32, 32, f32 (1), f32 (3)) == f32 (-2));
  assert_true (apply (IR_X_FREM, 64, 64, f64 (-7.5), f64 (2)) == f64 (-1.5));
  assert_true (apply (IR_X_FNEG, 64, 64, f64 (0), 0) == f64 (-0.0));
  assert_true (apply (IR_X_FABS, 80, 80, f80 (-2.5L), 0) == f80 (2.5L));
  assert_true (apply (IR_X_FSQRT, 64, 64, f64 (2), 0) == f64 (sqrt (2)));
  assert_true (apply (IR_X_FFLOOR, 64, 64, f64 (-1.5), 0) == f64 (-2) &&
               apply (IR_X_FCEIL, 64, 64, f64 (-1.5), 0) == f64 (-1));
  assert_true (apply (IR_X_FTRUNC, 32, 32, f32 (-1.5f), 0) == f32 (-1) &&
               apply (IR_X_FROUND, 32, 32, f32 (2.5f), 0) == f32 (3));
  assert_true (apply (IR_X_FEQ, 1, 64, f64 (0.0), f64 (-0.0)) == 1 &&
               apply (IR_X_FEQ, 1, 64, f64 (NAN), f64 (NAN)) == 0);
  assert_true (apply (IR_X_FLT, 1, 32, f32 (1), f32 (2)) == 1 && apply (IR_X_FLE, 1, 32, f32 (2), f32 (2)) == 1);
  assert_true (apply (IR_X_FLE, 1, 32, f32 (NAN), f32 (2)) == 0 && apply (IR_X_FUNO, 1, 32, f32 (NAN), f32 (2)) == 1);
  assert_true (apply (IR_X_FCONV, 32, 64, f64 (0.1), 0) == f32 ((float) 0.1) &&
               apply (IR_X_FCONV, 80, 32, f32 (0.5f), 0) == f80 (0.5L));
}

static void float_conversions (void **state) {
  (void) state;
  assert_true (apply (IR_X_FTOSI, 32, 64, f64 (-3.99), 0) == 0xfffffffd);
  assert_true (apply (IR_X_FTOSI, 32, 64, f64 (1e10), 0) == 0x80000000);
  assert_true (apply (IR_X_FTOSI, 64, 64, f64 (NAN), 0) == (ir_value) 1 << 63);
  assert_true (apply (IR_X_FTOSI, 128, 64, f64 (-1e30), 0) == (ir_value) (__int128) -1e30);
  assert_true (apply (IR_X_FTOUI, 64, 64, f64 (1e19), 0) == (uint64_t) 1e19);
  assert_true (apply (IR_X_FTOUI, 32, 64, f64 (4e9), 0) == 4000000000u);
  assert_true (apply (IR_X_SITOF, 64, 32, 0xffffffff, 0) == f64 (-1) &&
               apply (IR_X_UITOF, 64, 32, 0xffffffff, 0) == f64 (4294967295.0));
  assert_true (apply (IR_X_SITOF, 32, 64, 16777217, 0) == f32 (16777216.0f));
  assert_true (apply (IR_X_UITOF, 80, 64, UINT64_MAX, 0) == f80 (18446744073709551615.0L));
}

TEST_MAIN (cmocka_unit_test (division), cmocka_unit_test (shifts), cmocka_unit_test (widths_and_bits),
           cmocka_unit_test (overflow_flags), cmocka_unit_test (random_integers), cmocka_unit_test (floats),
           cmocka_unit_test (float_conversions))
