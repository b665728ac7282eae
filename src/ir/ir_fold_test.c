// Hash-consing and folding: the expression that a constructor returns has the value, and the possible overflows, of the
// expression that was requested.
#include "base/test.h"
#include "ir/random_program_test.h"

typedef struct fixture {
  ir_program *p;
  ir_proc f;
  ir_expr x, y, c;
} fixture;  // x, y: 32 bits; c: one bit

static fixture fixture_new (void) {
  fixture t = {.p = ir_program_new ()};
  ir_add_object (t.p, "array", IR_O_GLOBAL, 16);
  ir_add_object (t.p, "other", IR_O_GLOBAL, 4);
  ir_add_object (t.p, "local", IR_O_THREAD_LOCAL, 8);
  t.f = ir_add_proc (t.p, "f");
  t.x = ir_use (t.p, t.f, ir_add_reg (t.p, t.f, 32, "x"));
  t.y = ir_use (t.p, t.f, ir_add_reg (t.p, t.f, 32, "y"));
  t.c = ir_use (t.p, t.f, ir_add_reg (t.p, t.f, 1, "c"));
  return t;
}

static void assert_text (const fixture *t, ir_expr x, const char *text) {
  strbuf s = {0};
  ir_print_expr (t->p, x, &s);
  assert_string_equal (strbuf_text (&s), text);
  strbuf_release (&s);
}

static void equal_expressions_are_one (void **state) {
  (void) state;
  fixture t = fixture_new ();
  ir_expr a = ir_binary (t.p, IR_X_ADD, t.x, t.y), b = ir_binary (t.p, IR_X_ADD, t.x, t.y);
  assert_int_equal (a.i, b.i);
  assert_int_not_equal (a.i, ir_binary_flags (t.p, IR_X_ADD, t.x, t.y, true, false).i);
  assert_int_not_equal (a.i, ir_binary (t.p, IR_X_SUB, t.x, t.y).i);
  assert_int_equal (ir_const (t.p, 8, 0x1ff).i, ir_const (t.p, 8, 0xff).i);
  assert_int_not_equal (ir_const (t.p, 8, 1).i, ir_const (t.p, 16, 1).i);
  ir_program_free (t.p);
}

static void identities (void **state) {
  (void) state;
  fixture t = fixture_new ();
  ir_program *p = t.p;
  ir_expr zero = ir_const (p, 32, 0), one = ir_const (p, 32, 1), x = t.x, c = t.c;
  assert_int_equal (ir_binary (p, IR_X_ADD, x, zero).i, x.i);
  assert_int_equal (ir_binary_flags (p, IR_X_ADD, zero, x, true, true).i, x.i);
  assert_int_equal (ir_binary (p, IR_X_MUL, x, one).i, x.i);
  assert_int_equal (ir_binary (p, IR_X_MUL, x, zero).i, zero.i);
  assert_text (&t, ir_binary (p, IR_X_EQ, x, x), "1:1");
  assert_text (&t, ir_binary (p, IR_X_SUB, x, one), "(r0 + -1:32)");
  assert_text (&t, ir_binary (p, IR_X_ADD, ir_binary (p, IR_X_ADD, x, one), one), "(r0 + 2:32)");
  assert_int_equal (ir_ite (p, ir_const (p, 1, 1), x, zero).i, x.i);
  assert_int_equal (ir_ite (p, c, x, x).i, x.i);
  assert_text (&t, ir_ite (p, ir_not (p, c), x, zero), "(r2 ? 0:32 : r0)");
  assert_int_equal (ir_unary (p, IR_X_TRUNC, 32, ir_unary (p, IR_X_ZEXT, 64, x)).i, x.i);
  assert_text (&t, ir_unary (p, IR_X_TRUNC, 16, ir_unary (p, IR_X_SEXT, 64, x)), "trunc.16(r0)");
  assert_text (&t, ir_unary (p, IR_X_SEXT, 128, ir_unary (p, IR_X_ZEXT, 64, x)), "zext.128(r0)");
  // clang translates `if (a < b)` to this: the comparison widened and compared with zero
  ir_expr less = ir_binary (p, IR_X_SLT, x, t.y);
  assert_int_equal (ir_binary (p, IR_X_NE, ir_unary (p, IR_X_ZEXT, 32, less), zero).i, less.i);
  assert_text (&t, ir_binary (p, IR_X_EQ, ir_unary (p, IR_X_ZEXT, 32, less), zero), "(r1 s<= r0)");
  assert_text (&t, ir_binary (p, IR_X_EQ, ir_unary (p, IR_X_ZEXT, 32, c), ir_const (p, 32, 7)), "0:1");
  assert_int_equal (ir_not (p, ir_not (p, c)).i, c.i);
  ir_program_free (p);
}

static void addresses (void **state) {
  (void) state;
  fixture t = fixture_new ();
  ir_program *p = t.p;
  ir_expr a = ir_addr (p, (ir_object){1}, 4), b = ir_addr (p, (ir_object){2}, 0), own = ir_addr (p, (ir_object){3}, 0);
  assert_text (&t, ir_binary (p, IR_X_ADD, a, ir_const (p, 64, 12)), "&array+16");
  assert_text (&t, ir_binary (p, IR_X_ADD, a, ir_const (p, 64, 13)), "(&array+4 + 13:64)");
  assert_text (&t, ir_binary (p, IR_X_ADD, a, ir_const (p, 64, -(ir_value) 4)), "&array");
  assert_text (&t, ir_binary (p, IR_X_ADD, a, ir_const (p, 64, -(ir_value) 5)), "(&array+4 + -5:64)");
  assert_text (&t, ir_binary (p, IR_X_SUB, a, ir_addr (p, (ir_object){1}, 12)), "-8:64");
  assert_text (&t, ir_binary (p, IR_X_EQ, a, b), "0:1");
  assert_text (&t, ir_binary (p, IR_X_NE, a, ir_addr (p, (ir_object){0}, 0)), "1:1");
  assert_text (&t, ir_binary (p, IR_X_EQ, own, b), "(&local == &other)");  // differs from thread to thread
  assert_text (&t, ir_binary (p, IR_X_EQ, own, own), "1:1");
  ir_program_free (p);
}

static void what_overflows_is_kept (void **state) {
  (void) state;
  fixture t = fixture_new ();
  ir_program *p = t.p;
  ir_expr max = ir_const (p, 32, 0x7fffffff), one = ir_const (p, 32, 1), zero = ir_const (p, 32, 0);
  assert_text (&t, ir_binary_flags (p, IR_X_ADD, max, one, true, false), "(0x7fffffff:32 +.nsw 1:32)");
  assert_text (&t, ir_binary_flags (p, IR_X_ADD, max, one, false, false), "0x80000000:32");
  assert_text (&t, ir_binary (p, IR_X_SDIV, one, zero), "(1:32 s/ 0:32)");
  assert_text (&t, ir_binary (p, IR_X_SHL, one, ir_const (p, 32, 32)), "(1:32 << 32:32)");
  ir_expr sum = ir_binary_flags (p, IR_X_ADD, t.x, one, true, false);
  assert_text (&t, ir_binary (p, IR_X_MUL, sum, zero), "((r0 +.nsw 1:32) * 0:32)");
  assert_text (&t, ir_binary_flags (p, IR_X_ADD, sum, one, true, false), "((r0 +.nsw 1:32) +.nsw 1:32)");
  assert_text (&t, ir_binary (p, IR_X_EQ, sum, sum), "((r0 +.nsw 1:32) == (r0 +.nsw 1:32))");
  assert_text (&t, ir_binary_flags (p, IR_X_SUB, t.x, one, true, false), "(r0 -.nsw 1:32)");
  ir_program_free (p);
}

// Rebuilds the tree with the folding constructors, from the leaves up.
static ir_expr refold (ir_program *p, ir_expr x) {
  ir_expr_node n = *ir_expr_at (p, x);
  ir_expr args[3];
  for (unsigned k = 0; k < ir_expr_arity (n.op); k++) args[k] = refold (p, n.arg[k]);
  return ir_rebuild (p, x, args);
}

// The rules of Memcheck for `x - x` and the like depend on the operator, not on the value.
static void undefined_expressions_are_kept (void **state) {
  (void) state;
  fixture t = fixture_new ();
  ir_program *p = t.p;
  ir_expr zero = ir_const (p, 32, 0);
  ir_keep_undefined (p);
  assert_text (&t, ir_binary (p, IR_X_SUB, t.x, t.x), "(r0 - r0)");
  assert_text (&t, ir_binary (p, IR_X_XOR, t.x, t.x), "(r0 ^ r0)");
  assert_text (&t, ir_binary (p, IR_X_MUL, t.x, zero), "(r0 * 0:32)");
  assert_text (&t, ir_binary (p, IR_X_EQ, t.x, t.x), "(r0 == r0)");
  assert_text (&t, ir_binary (p, IR_X_SLT, t.x, t.x), "(r0 s< r0)");
  assert_text (&t, ir_binary (p, IR_X_AND, t.x, zero), "0:32");
  assert_text (&t, ir_binary (p, IR_X_ULT, t.x, zero), "0:1");
  ir_program_free (p);
}

static void random_expressions_keep_value_and_overflow (void **state) {
  (void) state;
  unsigned smaller = 0, failing = 0;
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    maker m = {.p = ir_program_new (), .r = {seed}};
    random_objects (&m);
    m.f = ir_add_proc (m.p, "f");
    for (unsigned k = 0; k < 8; k++) {
      ir_expr raw = random_expr (&m, random_width (&m), 5), folded = refold (m.p, raw);
      smaller += m.p->tables->size.data[folded.i] < m.p->tables->size.data[raw.i];
      assert_true (m.p->tables->size.data[folded.i] <= m.p->tables->size.data[raw.i]);
      assert_int_equal (ir_expr_at (m.p, folded)->bits, ir_expr_at (m.p, raw)->bits);
      for (unsigned i = 0; i < 6; i++) {
        const ir_proc_data *d = ir_proc_at (m.p, m.f);
        ir_value *regs = calloc (d->regs.count + 1, sizeof *regs);
        for (uint32_t r = 0; r < d->regs.count; r++) regs[r] = random_value (&m.r, d->regs.data[r].bits);
        bool fails = plain_fails (m.p, raw, regs);
        failing += fails;
        bool same =
            plain_value (m.p, raw, regs) == plain_value (m.p, folded, regs) && fails == plain_fails (m.p, folded, regs);
        strbuf text = {0};
        if (!same)
          ir_print_expr (m.p, raw, &text), strbuf_add (&text, "   became   "), ir_print_expr (m.p, folded, &text);
        if (!same) fail_msg ("seed %u: %s", (unsigned) seed, strbuf_text (&text));
        free (regs);
      }
    }
    ir_program_free (m.p);
  }
  assert_true (smaller > 1000 && failing > 1000);  // the random expressions were folded, and overflowed, often enough
}

TEST_MAIN (cmocka_unit_test (equal_expressions_are_one), cmocka_unit_test (identities), cmocka_unit_test (addresses),
           cmocka_unit_test (what_overflows_is_kept), cmocka_unit_test (undefined_expressions_are_kept),
           cmocka_unit_test (random_expressions_keep_value_and_overflow))
