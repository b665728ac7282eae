// Expressions of Boolean programs, hash-consed: equal expressions are stored once.  Only constants, equal and opposite
// operands are simplified, so that a program is printed much as it was written.
#include "base/map.h"
#include "boolean/bp_program.h"

static bp_expr intern_bp_expr (bp_program *p, bp_op op, uint32_t a, uint32_t b) {
  bp_node n = {(uint32_t) op, a, b};
  return (bp_expr){intern_add (&p->nodes, &n, sizeof n, NULL)};
}

bp_expr bp_const (bp_program *p, bool value) { return intern_bp_expr (p, BP_CONST, value, 0); }
bp_expr bp_use (bp_program *p, bp_var v) { return intern_bp_expr (p, BP_VAR, v.i, 0); }
bp_expr bp_use_next (bp_program *p, bp_var v) { return intern_bp_expr (p, BP_NEXT, v.i, 0); }
bp_expr bp_choice (bp_program *p) { return intern_bp_expr (p, BP_CHOICE, p->num_choices++, 0); }

bp_expr bp_not (bp_program *p, bp_expr x) {
  bp_node n = bp_node_at (p, x);
  if (n.op == BP_CONST) return bp_const (p, !n.a);
  if (n.op == BP_NOT) return (bp_expr){n.a};
  return intern_bp_expr (p, BP_NOT, x.i, 0);
}

static bool are_negations (const bp_program *p, bp_expr x, bp_expr y) {
  bp_node a = bp_node_at (p, x), b = bp_node_at (p, y);
  return (a.op == BP_NOT && a.a == y.i) || (b.op == BP_NOT && b.a == x.i);
}

// Builds an AND or OR.  `neutral` is the neutral constant: 1 for AND, 0 for OR.
static bp_expr make_lattice (bp_program *p, bp_op op, bool neutral, bp_expr x, bp_expr y) {
  if (x.i == y.i || bp_is_const (p, y, neutral) || bp_is_const (p, x, !neutral)) return x;
  if (bp_is_const (p, x, neutral) || bp_is_const (p, y, !neutral)) return y;
  if (are_negations (p, x, y)) return bp_const (p, !neutral);
  return intern_bp_expr (p, op, x.i, y.i);
}

bp_expr bp_and (bp_program *p, bp_expr x, bp_expr y) { return make_lattice (p, BP_AND, true, x, y); }
bp_expr bp_or (bp_program *p, bp_expr x, bp_expr y) { return make_lattice (p, BP_OR, false, x, y); }

bp_expr bp_xor (bp_program *p, bp_expr x, bp_expr y) {
  if (x.i == y.i) return bp_const (p, false);
  if (are_negations (p, x, y)) return bp_const (p, true);
  bp_node a = bp_node_at (p, x), b = bp_node_at (p, y);
  if (a.op == BP_CONST) return a.a ? bp_not (p, y) : y;
  if (b.op == BP_CONST) return b.a ? bp_not (p, x) : x;
  return intern_bp_expr (p, BP_XOR, x.i, y.i);
}

void bp_leaves (const bp_program *p, bp_expr x, bp_expr_list *out) {
  map seen = {0};
  bp_expr_list stack = {0};
  vec_push (&stack, x);
  while (stack.count) {
    bp_expr y = vec_pop (&stack);
    bool is_new;
    map_insert (&seen, y.i, 0, &is_new);
    bp_node n = bp_node_at (p, y);
    if (!is_new || n.op == BP_CONST) continue;
    if (n.op == BP_AND || n.op == BP_OR || n.op == BP_XOR) vec_push (&stack, (bp_expr){n.b});
    if (n.op >= BP_NOT) vec_push (&stack, (bp_expr){n.a});
    else vec_push (out, y);
  }
  vec_release (&stack);
  map_release (&seen);
}
