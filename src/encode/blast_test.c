// Gates against ir_eval_op: the graph of every operator is simulated on random values, for many widths.
#include <stdlib.h>

#include "base/test.h"
#include "encode/blast.h"
#include "encode/random_term_test.h"

// Returns the value of a literal, given the values of all nodes.
static bool literal_value (const bool *node, aig_lit x) { return node[x.i / 2] ^ (x.i & 1); }

static void simulate (const aig *g, bool *node) {
  for (uint32_t i = 1; i < g->nodes.count; i++)
    if (!aig_is_input (g, i))
      node[i] = literal_value (node, g->nodes.data[i].left) && literal_value (node, g->nodes.data[i].right);
}

static ir_value word_value (const bool *node, const aig_lit *bits, unsigned n) {
  ir_value r = 0;
  for (unsigned i = 0; i < n; i++) r |= (ir_value) literal_value (node, bits[i]) << i;
  return r;
}

static void set_word (bool *node, const aig_lit *bits, unsigned n, ir_value value) {
  for (unsigned i = 0; i < n; i++) node[bits[i].i / 2] = value >> i & 1;
}

// Tests one operator on variables, without rewriting.  `constant_right`: its right operand is a constant.
static void check_op (rng *r, ir_expr_op op, unsigned bits, unsigned from, bool constant_right) {
  term_pool p;
  blaster b;
  term_pool_init (&p);
  blaster_init (&b, &p);
  term arg[3] = {TERM_NONE, TERM_NONE, TERM_NONE};
  unsigned arity = ir_expr_arity (op);
  for (unsigned k = 0; k < arity; k++) {
    unsigned width = op == IR_X_ITE && !k ? 1 : from;
    arg[k] = constant_right && k == 1 ? term_const (&p, width, random_value (r, width)) : term_var (&p, width);
    blast (&b, arg[k]);
  }
  term t = term_intern (&p, op, bits, arg[0], arg[1], arg[2]);
  blast (&b, t);
  bool *node = calloc (b.graph.nodes.count, sizeof *node);
  for (unsigned round = 0; round < 20; round++) {
    ir_value v[3] = {0};
    for (unsigned k = 0; k < arity; k++) {
      v[k] = term_is_const (&p, arg[k]) ? term_value (&p, arg[k]) : random_value (r, term_bits (&p, arg[k]));
      if (!term_is_const (&p, arg[k])) set_word (node, blasted (&b, arg[k]), term_bits (&p, arg[k]), v[k]);
    }
    simulate (&b.graph, node);
    ir_value got = word_value (node, blasted (&b, t), bits), expected = ir_eval_op (op, bits, from, v);
    if (got != expected)
      fail_msg ("operator %d, %u bits from %u: %llx %llx gives %llx, not %llx", op, bits, from,
                (unsigned long long) v[0], (unsigned long long) v[1], (unsigned long long) got,
                (unsigned long long) expected);
  }
  free (node);
  blaster_release (&b);
  term_pool_release (&p);
}

static bool is_slow (ir_expr_op op) {
  return op == IR_X_UDIV || op == IR_X_SDIV || op == IR_X_UREM || op == IR_X_SREM || op == IR_X_MUL ||
         op == IR_X_SMULO || op == IR_X_UMULO;
}

static void operators_match_evaluation (void **state) {
  (void) state;
  static const unsigned widths[] = {1, 2, 3, 5, 8, 13, 16, 32, 64, 80, 128};
  enum { COUNT = sizeof widths / sizeof *widths };
  rng r = {5};
  for (ir_expr_op op = IR_X_ADD; op < IR_NUM_EXPR_OPS; op++)
    for (unsigned i = 0; i < COUNT; i++)
      for (unsigned k = 0; k < COUNT; k++) {
        if (term_op_is_inexact (op) || !op_has_widths (op, widths[k], widths[i])) continue;
        for (unsigned round = 0; round < (is_slow (op) && widths[i] > 32 ? 1 : 6); round++)
          check_op (&r, op, widths[k], widths[i], round % 2);
      }
}

static void what_is_not_modelled_is_any_value (void **state) {
  (void) state;
  term_pool p;
  blaster b;
  term_pool_init (&p);
  blaster_init (&b, &p);
  term x = term_var (&p, 64), sum = term_apply (&p, IR_X_FADD, 64, x, x, TERM_NONE);
  blast (&b, term_apply (&p, IR_X_FLT, 1, x, term_const (&p, 64, 0), TERM_NONE));
  assert_true (b.is_exact);
  blast (&b, sum);
  assert_false (b.is_exact);
  assert_true (aig_is_input (&b.graph, blasted (&b, sum)[63].i / 2));
  blaster_release (&b);
  term_pool_release (&p);
}

static void deep_terms_need_no_stack (void **state) {
  (void) state;
  term_pool p;
  blaster b;
  term_pool_init (&p);
  blaster_init (&b, &p);
  term x = term_var (&p, 8), y = term_var (&p, 8);
  for (unsigned i = 0; i < 200000; i++)
    x = term_apply (&p, i % 2 ? IR_X_XOR : IR_X_AND, 8, x, i % 3 ? y : term_var (&p, 8), TERM_NONE);
  blast (&b, x);
  blaster_release (&b);
  term_pool_release (&p);
}

TEST_MAIN (cmocka_unit_test (operators_match_evaluation), cmocka_unit_test (what_is_not_modelled_is_any_value),
           cmocka_unit_test (deep_terms_need_no_stack))
