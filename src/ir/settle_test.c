// Programs with fixed values: every edge keeps its number, added edges come after it, and an assumption follows each
// invented value.
#include <stdlib.h>

#include "base/rng.h"
#include "base/test.h"
#include "ir/ir.h"
#include "ir/random_program_test.h"

static ir_program *must_parse (const char *text) {
  char *error = NULL;
  ir_program *p = ir_parse (text, "t.ir", &error);
  if (!p || !ir_check (p, &error)) fail_msg ("%s", error);
  return p;
}

// x contains invented values; r0 is an input, r1 an invented value, r2 a failure.
static const char some[] =
    "lockstep-ir 1 pointer_bits 64 offset_bits 32 file \"a.c\"\n"
    "global #1 x : 13 bytes function #2 f : 0 bytes start &f\n"
    "proc f = #2 () @\"a.c\":1:1 entry L0 { regs r0:32, r1:32, r2:1\n"
    "L0: forget invented &x @1:1 -> L1 L1: r0 = nondet number @2:1 -> L2\n"
    "L2: r1 = nondet number invented @3:1 -> L3 L3: r2 = nondet number failure @4:1 -> L4\n"
    "L4: assume (r1 == 9:32) @5:1 -> L5 L4: assume (r1 != 9:32) @5:1 -> L5 L5: exit 0:32 @6:1 }\n";

static bool is_old (const ir_program *p, uint32_t e, const ir_program *old) {
  const ir_edge_data *x = &p->edges.data[e], *y = &old->edges.data[e];
  return x->op == y->op && x->from.i == y->from.i && x->dst.i == y->dst.i && x->pos.line == y->pos.line;
}

static const ir_edge_data *behind (const ir_program *p, const ir_edge_data *d) {
  return &p->edges.data[ir_loc_at (p, d->to)->first_edge];
}

// Returns the value that is assumed for r1.
static ir_value settled_value (const ir_program *p) {
  const ir_edge_data *d = behind (p, &p->edges.data[2]);
  assert_int_equal (d->op, IR_ASSUME);
  const ir_expr_node *n = ir_expr_at (p, p->args.data[d->first_arg]);
  for (unsigned k = 0; k < 2 && n->op == IR_X_EQ; k++)
    if (ir_expr_at (p, n->arg[k])->op == IR_X_CONST) return ir_expr_at (p, n->arg[k])->value;
  return n->value;
}

static void values_are_settled (void **state) {
  (void) state;
  static const ir_value wanted[] = {0, 1, UINT32_MAX, 9, 0};
  ir_program *p = must_parse (some);
  assert_true (ir_invents (p));
  for (unsigned how = 0; how < IR_NUM_SETTLEMENTS; how++) {
    ir_program *s = ir_settle (p, (ir_settlement) how);
    char *error = NULL;
    if (!ir_check (s, &error)) fail_msg ("%s", error);
    for (uint32_t e = 0; e < p->edges.count; e++) assert_true (is_old (s, e, p));
    assert_int_equal (s->edges.count, p->edges.count + 2 + 3 * 3);  // x is 8, 4 and 1 bytes
    assert_int_equal ((uint64_t) settled_value (s), (uint64_t) wanted[how]);
    assert_int_equal (behind (s, &s->edges.data[1])->op, IR_NONDET);  // the input has no fixed value
    ir_program_free (s);
  }
  ir_program_free (p);
}

static void nothing_else_changes (void **state) {
  (void) state;
  for (uint64_t seed = 0; seed < 200; seed++) {
    ir_program *p = random_program (seed), *s = ir_settle (p, IR_SETTLE_ONE);
    for (uint32_t e = 0; e < p->edges.count; e++) assert_true (is_old (s, e, p));
    assert_int_equal (ir_invents (p), ir_invents (s));
    if (!ir_invents (p)) assert_int_equal (s->edges.count, p->edges.count);
    ir_program_free (s);
    ir_program_free (p);
  }
}

TEST_MAIN (cmocka_unit_test (values_are_settled), cmocka_unit_test (nothing_else_changes))
