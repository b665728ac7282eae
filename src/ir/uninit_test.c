// ir_add_uninit_checks.  Shadows are compared with a second definition: a bit of a value is undefined if it changes
// when undefined bits of the registers change.
#include "base/test.h"
#include "ir/random_program_test.h"
#include "ir/uninit_impl.h"

// Returns a program with one procedure: r0 and r1 have no value, r2 has one; r3 is the expression.
static ir_program *program_of (const char *line, unsigned bits) {
  strbuf text = {0};
  strbuf_printf (
      &text,
      "lockstep-ir 1 pointer_bits 64 offset_bits 32 function #1 f : 0 bytes start &f\n"
      "proc f = #1 () entry L0 { regs r0:8, r1:8, r2:8, r3:%u L0: r0 = nondet unwritten message \"`x`\" @\"a.c\":7:1 "
      "-> L1 L1: r1 = nondet unwritten message \"`y`\" @\"a.c\":8:1 -> L2 L2: r2 = nondet number message \"z\" -> L3 "
      "%s }",
      bits, line);
  char *error = NULL;
  ir_program *p = ir_parse (strbuf_text (&text), "t.ir", &error);
  if (!p) fail_msg ("%s", error);
  ir_add_uninit_checks (p);
  if (!ir_check (p, &error)) fail_msg ("%s", error);
  strbuf_release (&text);
  return p;
}

static const ir_edge_data *find_check (const ir_program *p) {
  for (uint32_t e = 0; e < p->edges.count; e++)
    if (p->edges.data[e].op == IR_CHECK) return &p->edges.data[e];
  return NULL;
}

static void assert_message (const char *line, const char *expected) {
  ir_program *p = program_of (line, 32);
  const ir_edge_data *d = find_check (p);
  if (!expected) assert_null (d);
  else {
    assert_non_null (d);
    assert_int_equal (d->aux, IR_P_UNINIT);
    assert_string_equal (d->message, expected);
  }
  ir_program_free (p);
}

static void uses_that_count_are_checked (void **state) {
  (void) state;
#define X "`x`, which was never written (declared at a.c:7)"
  assert_message ("L3: assume (r0 == 0:8) -> L4 L3: assume (r0 != 0:8) -> L4 L4: exit 0:32",
                  "the branch depends on " X);
  assert_message ("L3: exit zext.32(r0)", "the exit code depends on " X);
  assert_message ("L3: exit zext.32((r0 + r1))", "the exit code depends on a value that was never written");
  assert_message ("L3: exit zext.32(r2)", NULL);
  assert_message ("L3: r3 = assign zext.32(r0) -> L4 L4: exit r3", "the exit code depends on " X);
  assert_message ("L3: r3 = assign zext.32(r0) -> L4 L4: exit 0:32", NULL);
  assert_message ("L3: r3 = load.4 zext.64(r0) -> L4 L4: exit 0:32", "the address depends on " X);
  assert_message ("L3: free zext.64(r0) -> L4 L4: exit 0:32", "the address given to free depends on " X);
  assert_message ("L3: r3 = mutex_lock zext.64(r0) -> L4 L4: exit 0:32", "the argument of mutex_lock depends on " X);
  assert_message ("L3: output 1:32, &f, r0 -> L4 L4: exit 0:32", "the output depends on " X);
#undef X
}

// ---- shadows -------------------------------------------------------------------------------------------

typedef struct shadowed {
  uninit u;
  ir_value value[3], shadow[3];  // of r0, r1, r2; r2 is defined
} shadowed;

// The shadows of r0 and r1 are the registers r3 and r4; intermediate values use the registers after them.
static ir_program *start (shadowed *s, unsigned bits) {
  ir_program *p = ir_program_new ();
  ir_proc f = ir_add_proc (p, "f");
  for (unsigned k = 0; k < 5; k++) ir_add_reg (p, f, bits, NULL);
  s->u = (uninit){.p = p, .proc = f};
  s->u.procs = mem_zalloc (sizeof *s->u.procs);
  s->u.procs->num_regs = 3;
  s->u.regs = mem_zalloc (3 * sizeof *s->u.regs);
  s->u.shadows = mem_zalloc (3 * sizeof *s->u.shadows);
  for (uint32_t k = 0; k < 3; k++) s->u.shadows[k] = (ir_reg){k < 2 ? 3 + k : IR_NONE};
  s->u.regs[0] = s->u.regs[1] = ORIGIN_SEVERAL;
  s->u.at = ir_add_loc (p, f);
  return p;
}

static void finish (shadowed *s) {
  mem_free (s->u.procs, sizeof *s->u.procs);
  mem_free (s->u.regs, 3 * sizeof *s->u.regs);
  mem_free (s->u.shadows, 3 * sizeof *s->u.shadows);
  ir_program_free (s->u.p);
}

// Returns the value of an expression over the registers, which include the registers for parts of shadows.
static ir_value value_with (const shadowed *s, ir_expr x) {
  const ir_program *p = s->u.p;
  ir_value regs[400] = {s->value[0], s->value[1], s->value[2], s->shadow[0], s->shadow[1]};
  assert_true (p->procs.data[0].regs.count < 400);
  for (uint32_t e = 0; e < p->edges.count; e++)
    regs[p->edges.data[e].dst.i] = plain_value (p, p->args.data[p->edges.data[e].first_arg], regs);
  return plain_value (p, x, regs);
}

// Returns the bits of x that change with the undefined bits.
static ir_value changing_bits (const shadowed *s, ir_expr x) {
  ir_value regs[5] = {s->value[0], s->value[1], s->value[2]}, first = plain_value (s->u.p, x, regs), changed = 0;
  for (ir_value a = s->shadow[0];; a = (a - 1) & s->shadow[0]) {
    for (ir_value b = s->shadow[1];; b = (b - 1) & s->shadow[1]) {
      regs[0] = (s->value[0] & ~s->shadow[0]) | a;
      regs[1] = (s->value[1] & ~s->shadow[1]) | b;
      changed |= first ^ plain_value (s->u.p, x, regs);
      if (!b) break;
    }
    if (!a) break;
  }
  return changed;
}

static ir_value few_bits (rng *r, unsigned bits) {
  ir_value v = rng_next (r) & rng_next (r);
  return rng_below (r, 3) ? v & ir_mask (bits) : 0;
}

static void choose (shadowed *s, rng *r, unsigned bits) {
  for (unsigned k = 0; k < 3; k++) {
    s->value[k] = random_value (r, bits);
    s->shadow[k] = k < 2 ? few_bits (r, bits) : 0;
    s->value[k] &= ~s->shadow[k];  // as in the program: an undefined bit is 0
  }
}

static bool is_of_floats (ir_expr_op op) { return op >= IR_X_FADD; }

static ir_expr random_operation (uninit *u, rng *r, unsigned bits, unsigned depth) {
  ir_program *p = u->p;
  if (!depth || !rng_below (r, 4))
    return rng_below (r, 5) ? ir_use (p, u->proc, (ir_reg){rng_below (r, 3)})
                            : ir_const (p, bits, random_value (r, bits));
  ir_expr_op op = IR_X_ADD + rng_below (r, IR_NUM_EXPR_OPS - IR_X_ADD);
  ir_expr x = random_operation (u, r, bits, depth - 1), y = random_operation (u, r, bits, depth - 1);
  if (is_of_floats (op) || op == IR_X_BSWAP) op = IR_X_AND;
  if (op == IR_X_ITE) return ir_ite (p, ir_unary (p, IR_X_TRUNC, 1, x), y, random_operation (u, r, bits, depth - 1));
  if (op == IR_X_ZEXT || op == IR_X_SEXT) return ir_unary (p, op, bits, ir_unary (p, IR_X_TRUNC, bits / 2, x));
  if (op == IR_X_TRUNC) return ir_unary (p, IR_X_ZEXT, bits, ir_unary (p, op, 1, x));
  if (ir_expr_arity (op) == 1) return ir_unary (p, op, bits, x);
  if (op == IR_X_SHL || op == IR_X_LSHR || op == IR_X_ASHR)
    y = rng_below (r, 2) ? ir_binary (p, IR_X_AND, y, ir_const (p, bits, 7))
                         : ir_const (p, bits, rng_below (r, bits + 2));
  ir_expr z = ir_binary (p, op, x, y);
  return ir_expr_at (p, z)->bits == bits ? z : ir_unary (p, rng_below (r, 2) ? IR_X_ZEXT : IR_X_SEXT, bits, z);
}

static void what_changes_is_in_the_shadow (void **state) {
  (void) state;
  unsigned undefined = 0, changing = 0;
  for (uint64_t seed = 0; seed < 3000; seed++) {
    rng r = {seed};
    shadowed s;
    start (&s, 8);
    ir_expr x = random_operation (&s.u, &r, 8, 3);
    ir_expr shadow = uninit_shadow (&s.u, x), defined = uninit_defined (&s.u, x);
    for (unsigned round = 0; round < 4; round++) {
      choose (&s, &r, 8);
      ir_value found = value_with (&s, shadow), real = changing_bits (&s, x);
      if (real & ~found) fail_msg ("seed %u: a bit changes that the shadow calls defined", (unsigned) seed);
      assert_int_equal (value_with (&s, defined), found == 0);
      undefined += found != 0;
      changing += real != 0;
    }
    finish (&s);
  }
  assert_true (changing > 1500 && undefined < 2 * changing);
}

// Shadows of single operators are exact for independent operands, for the operators that uninit_shadow.c lists.
static void shadows_are_exact_where_that_is_promised (void **state) {
  (void) state;
  static const ir_expr_op ops[] = {IR_X_AND, IR_X_OR,  IR_X_XOR, IR_X_EQ, IR_X_NE,
                                   IR_X_ULT, IR_X_ULE, IR_X_SLT, IR_X_SLE};
  for (uint64_t seed = 0; seed < 900; seed++) {
    rng r = {seed};
    shadowed s;
    ir_program *p = start (&s, 8);
    ir_expr x = ir_use (p, s.u.proc, (ir_reg){0});
    ir_expr y = seed % 2 ? ir_use (p, s.u.proc, (ir_reg){1}) : ir_const (p, 8, random_value (&r, 8));
    ir_expr z = ir_binary (p, ops[seed % 9], x, y), shadow = uninit_shadow (&s.u, z);
    for (unsigned round = 0; round < 8; round++) {
      choose (&s, &r, 8);
      assert_int_equal (value_with (&s, shadow), changing_bits (&s, z));
    }
    finish (&s);
  }
}

TEST_MAIN (cmocka_unit_test (uses_that_count_are_checked), cmocka_unit_test (what_changes_is_in_the_shadow),
           cmocka_unit_test (shadows_are_exact_where_that_is_promised))
