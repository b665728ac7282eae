// Translates expressions to expressions of ir/ir.h, after loading their globals and making their choices.  Also stores
// of globals.
#include "base/diag.h"
#include "boolean/bp_lower_impl.h"

void lower_forget (bp_lowering *w) {
  map_clear (&w->now);
  map_clear (&w->after);
  map_clear (&w->choice);
  map_clear (&w->built);
}

ir_expr lower_choice (bp_lowering *w, uint32_t which) {
  ir_reg r = ir_add_reg (w->out, w->proc, 1, NULL);
  ir_edge e = lower_edge (w, IR_NONDET);
  ir_edge_at (w->out, e)->dst = r;
  ir_edge_at (w->out, e)->aux = IR_NONDET_NUMBER;
  ir_edge_at (w->out, e)->message = "*";
  ir_edge_at (w->out, e)->choice = which + 1;
  return ir_use (w->out, w->proc, r);
}

// Adds an atomic access of a global.  The caller adds the value of a store.
static ir_edge access_global (bp_lowering *w, ir_op op, bp_var v) {
  ir_edge e = lower_edge (w, op);
  ir_edge_data *d = ir_edge_at (w->out, e);
  d->bytes = 1, d->order = IR_SEQ_CST;
  d->name = arena_strdup (w->out->arena, bp_var_at (w->p, v)->shown);
  ir_add_arg (w->out, e, ir_addr (w->out, w->object[v.i], 0));
  return e;
}

void lower_store (bp_lowering *w, bp_var v, ir_expr value) {
  ir_expr byte = ir_unary (w->out, IR_X_ZEXT, 8, value);
  ir_add_arg (w->out, access_global (w, IR_STORE, v), byte);
}

static ir_expr load_global (bp_lowering *w, bp_var v) {
  ir_reg r = ir_add_reg (w->out, w->proc, 8, NULL);
  ir_edge_at (w->out, access_global (w, IR_LOAD, v))->dst = r;
  return ir_unary (w->out, IR_X_TRUNC, 1, ir_use (w->out, w->proc, r));
}

static ir_expr read_variable (bp_lowering *w, bp_var v) {
  return bp_var_at (w->p, v)->global ? load_global (w, v) : ir_use (w->out, w->proc, lower_local (w, v));
}

static void read_leaf (bp_lowering *w, bp_node n) {
  if (n.op == BP_CHOICE) {
    if (!map_find (&w->choice, n.a)) map_insert (&w->choice, n.a, lower_choice (w, n.a).i, NULL);
    return;
  }
  if (n.op == BP_NEXT && map_find (&w->after, n.a)) return;
  if (!map_find (&w->now, n.a)) map_insert (&w->now, n.a, read_variable (w, (bp_var){n.a}).i, NULL);
}

void lower_read (bp_lowering *w, bp_expr x) {
  uint32_t first = w->leaves.count;
  bp_leaves (w->p, x, &w->leaves);
  for (uint32_t i = first; i < w->leaves.count; i++) read_leaf (w, bp_node_at (w->p, w->leaves.data[i]));
  w->leaves.count = first;
}

void lower_set_next (bp_lowering *w, bp_var v, ir_expr value) { map_insert (&w->after, v.i, value.i, NULL); }

static ir_expr leaf_expr (const bp_lowering *w, bp_node n) {
  const uint64_t *known = n.op == BP_CHOICE ? map_find (&w->choice, n.a)
                          : n.op == BP_NEXT ? map_find (&w->after, n.a)
                                            : NULL;
  if (!known) known = map_find (&w->now, n.a);
  CHECK (known, "what an expression needs should have been read");
  return (ir_expr){(uint32_t) *known};
}

static ir_expr build_lowered_expr (bp_lowering *w, bp_node n) {
  static const ir_expr_op op[] = {[BP_AND] = IR_X_AND, [BP_OR] = IR_X_OR, [BP_XOR] = IR_X_XOR};
  if (n.op == BP_CONST) return ir_const (w->out, 1, n.a);
  if (n.op < BP_NOT) return leaf_expr (w, n);
  ir_expr left = lower_expr (w, (bp_expr){n.a});
  if (n.op == BP_NOT) return ir_not (w->out, left);
  return ir_binary (w->out, op[n.op], left, lower_expr (w, (bp_expr){n.b}));
}

ir_expr lower_expr (bp_lowering *w, bp_expr x) {
  const uint64_t *known = map_find (&w->built, x.i);
  if (known) return (ir_expr){(uint32_t) *known};
  ir_expr made = build_lowered_expr (w, bp_node_at (w->p, x));
  map_insert (&w->built, x.i, made.i, NULL);
  return made;
}
