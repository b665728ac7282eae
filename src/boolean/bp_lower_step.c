// Translates one statement to edges: first loads and choices, then the assume of a constraint, then stores, then
// assigns to registers.
#include "base/diag.h"
#include "boolean/bp_lower_impl.h"

// ---- regions -----------------------------------------------------------------------------------------------

// Counts the globals that the statement reads.
static uint32_t count_reads (bp_lowering *w, const bp_location *d) {
  uint32_t first = w->leaves.count, count = 0;
  for (uint32_t i = 0; i < d->values.count; i++) bp_leaves (w->p, d->values.data[i], &w->leaves);
  bp_leaves (w->p, d->condition, &w->leaves);
  map seen = {0};
  for (uint32_t i = first; i < w->leaves.count; i++) {
    bp_node n = bp_node_at (w->p, w->leaves.data[i]);
    bool is_new = false;
    if (n.op != BP_CHOICE && w->p->vars.data[n.a].global) map_insert (&seen, n.a, 0, &is_new);
    count += is_new;
  }
  map_release (&seen);
  w->leaves.count = first;
  return count;
}

// Does the statement access globals more than once, so that it must be an atomic region?  If its depth is not 0, the
// statement is in an atomic region already.
static bool needs_own_region (bp_lowering *w, const bp_location *d) {
  uint32_t accesses = count_reads (w, d);
  for (uint32_t i = 0; i < d->targets.count; i++) accesses += bp_var_at (w->p, d->targets.data[i])->global;
  return accesses > 1 && !d->depth;
}

// The region around one statement is not in the source, so traces do not show it.
static void begin_region (bp_lowering *w) { ir_edge_at (w->out, lower_edge (w, IR_ATOMIC_BEGIN))->aux = IR_UNSEEN; }
static void end_region (bp_lowering *w) { ir_edge_at (w->out, lower_edge (w, IR_ATOMIC_END))->aux = IR_UNSEEN; }

// ---- assignment --------------------------------------------------------------------------------------------

static void add_assume (bp_lowering *w, ir_expr condition) {
  ir_edge e = lower_edge (w, IR_ASSUME);
  ir_add_arg (w->out, e, condition);
}

// Is the target a global or a local that may still be read?  Other locals need not get their values.
static bool is_wanted (const bp_lowering *w, const bp_location *d, bp_var v) {
  return bp_var_at (w->p, v)->global || bp_is_live (&w->live, d->next.data[0], v);
}

// Assigns all locals simultaneously: first copies each value to a register of its own, then changes the locals.
static void assign_locals (bp_lowering *w, const bp_location *d) {
  VEC (ir_reg) copies = {0};
  for (uint32_t i = 0; i < d->targets.count; i++) {
    if (bp_var_at (w->p, d->targets.data[i])->global || !is_wanted (w, d, d->targets.data[i])) continue;
    ir_reg r = ir_add_reg (w->out, w->proc, 1, NULL);
    lower_assign_reg (w, r, lower_expr (w, d->values.data[i]));
    vec_push (&copies, r);
  }
  for (uint32_t i = 0, k = 0; k < copies.count; i++) {
    if (bp_var_at (w->p, d->targets.data[i])->global || !is_wanted (w, d, d->targets.data[i])) continue;
    lower_assign_reg (w, lower_local (w, d->targets.data[i]), ir_use (w->out, w->proc, copies.data[k++]));
  }
  vec_release (&copies);
}

// Does the constraint contain the value of the variable after the step?
static bool is_constrained (bp_lowering *w, const bp_location *d, bp_var v) {
  uint32_t first = w->leaves.count;
  bool found = false;
  bp_leaves (w->p, d->condition, &w->leaves);
  for (uint32_t i = first; i < w->leaves.count; i++) {
    bp_node n = bp_node_at (w->p, w->leaves.data[i]);
    found |= n.op == BP_NEXT && n.a == v.i;
  }
  w->leaves.count = first;
  return found;
}

static void lower_assign (bp_lowering *w, const bp_location *d) {
  for (uint32_t i = 0; i < d->targets.count; i++)
    if (is_wanted (w, d, d->targets.data[i]) || is_constrained (w, d, d->targets.data[i])) {
      lower_read (w, d->values.data[i]);
      lower_set_next (w, d->targets.data[i], lower_expr (w, d->values.data[i]));
    }
  lower_read (w, d->condition);
  if (!bp_is_const (w->p, d->condition, true)) add_assume (w, lower_expr (w, d->condition));
  for (uint32_t i = 0; i < d->targets.count; i++)
    if (bp_var_at (w->p, d->targets.data[i])->global)
      lower_store (w, d->targets.data[i], lower_expr (w, d->values.data[i]));
  assign_locals (w, d);
}

// ---- conditions --------------------------------------------------------------------------------------------

static void lower_assume (bp_lowering *w, const bp_location *d) {
  lower_read (w, d->condition);
  add_assume (w, lower_expr (w, d->condition));
}

static void lower_assert (bp_lowering *w, const bp_location *d) {
  lower_read (w, d->condition);
  ir_expr condition = lower_expr (w, d->condition);
  strbuf text = {0};
  bp_print_expr (w->p, d->condition, true, &text);
  ir_edge e = lower_edge (w, IR_CHECK);
  ir_edge_at (w->out, e)->aux = IR_P_ASSERT;
  ir_edge_at (w->out, e)->message = arena_printf (w->out->arena, "assertion `%s` failed", strbuf_text (&text));
  ir_add_arg (w->out, e, condition);
  strbuf_release (&text);
}

// ---- control -----------------------------------------------------------------------------------------------

static void add_branch_edges (bp_lowering *w, ir_expr condition, ir_loc yes, ir_loc no) {
  ir_add_arg (w->out, lower_edge_to (w, IR_ASSUME, yes), condition);
  ir_add_arg (w->out, lower_edge_to (w, IR_ASSUME, no), ir_not (w->out, condition));
}

// Is the statement `goto A, B` where A and B assume opposite conditions without choices?  Then evaluating the condition
// once determines the branch, and no choice is needed.
static bool is_question (bp_lowering *w, const bp_location *d) {
  if (d->next.count != 2) return false;
  const bp_location *a = bp_loc_at (w->p, d->next.data[0]), *b = bp_loc_at (w->p, d->next.data[1]);
  if (a->kind != BP_ASSUME || b->kind != BP_ASSUME || a->depth != b->depth) return false;
  bp_node x = bp_node_at (w->p, a->condition), y = bp_node_at (w->p, b->condition);
  bool opposite = (x.op == BP_NOT && x.a == b->condition.i) || (y.op == BP_NOT && y.a == a->condition.i);
  uint32_t first = w->leaves.count;
  bp_leaves (w->p, a->condition, &w->leaves);
  for (uint32_t i = first; i < w->leaves.count; i++) opposite &= bp_node_at (w->p, w->leaves.data[i]).op != BP_CHOICE;
  w->leaves.count = first;
  return opposite;
}

static void lower_question (bp_lowering *w, const bp_location *d) {
  const bp_location *a = bp_loc_at (w->p, d->next.data[0]), *b = bp_loc_at (w->p, d->next.data[1]);
  bool region = needs_own_region (w, a);
  if (region) begin_region (w);
  lower_read (w, a->condition);
  if (region) end_region (w);
  add_branch_edges (w, lower_expr (w, a->condition), lower_loc (w, a->next.data[0]), lower_loc (w, b->next.data[0]));
}

static void lower_jump (bp_lowering *w, const bp_location *d) {
  if (is_question (w, d)) {
    lower_question (w, d);
    return;
  }
  for (uint32_t i = 0; i + 1 < d->next.count; i++) {
    ir_loc more = ir_add_loc (w->out, w->proc);
    ir_expr taken = lower_choice (w, i);
    add_branch_edges (w, taken, lower_loc (w, d->next.data[i]), more);
    w->at = more;
  }
  lower_goto (w, vec_last (&d->next));
}

// ---- threads -----------------------------------------------------------------------------------------------

static void lower_end (bp_lowering *w, const bp_location *d) {
  for (uint32_t i = 0; i < d->depth; i++) end_region (w);
  ir_add_arg (w->out, lower_edge_to (w, IR_THREAD_EXIT, (ir_loc){IR_NONE}), ir_const (w->out, w->out->pointer_bits, 0));
}

// Returns a word with the values of the locals that the new thread needs, the first local in the lowest bit.
static ir_expr pack_locals (bp_lowering *w, bp_loc target) {
  ir_expr all = ir_const (w->out, 64, 0);
  uint32_t k = 0;
  for (uint32_t v = 0; v < w->p->vars.count; v++) {
    if (w->p->vars.data[v].global || !bp_is_live (&w->live, target, (bp_var){v})) continue;
    ir_expr bit = ir_unary (w->out, IR_X_ZEXT, 64, ir_use (w->out, w->proc, lower_local (w, (bp_var){v})));
    all = ir_binary (w->out, IR_X_OR, all, ir_binary (w->out, IR_X_SHL, bit, ir_const (w->out, 64, k++)));
  }
  return all;
}

static void lower_start (bp_lowering *w, const bp_location *d) {
  ir_expr argument = pack_locals (w, d->thread);
  ir_object function = ir_proc_at (w->out, w->thread[d->thread.i])->object;
  ir_edge e = lower_edge (w, IR_THREAD_CREATE);
  ir_edge_at (w->out, e)->dst = ir_add_reg (w->out, w->proc, 32, NULL);
  ir_add_arg (w->out, e, ir_addr (w->out, w->handle, 0));
  ir_add_arg (w->out, e, ir_addr (w->out, function, 0));
  ir_add_arg (w->out, e, argument);
}

// ---- all ---------------------------------------------------------------------------------------------------

static void lower_straight (bp_lowering *w, const bp_location *d) {
  bool region = needs_own_region (w, d);
  if (region) begin_region (w);
  switch (d->kind) {
  case BP_ASSIGN: lower_assign (w, d); break;
  case BP_ASSUME: lower_assume (w, d); break;
  case BP_ASSERT: lower_assert (w, d); break;
  case BP_START_THREAD: lower_start (w, d); break;
  case BP_ATOMIC_BEGIN: lower_edge (w, IR_ATOMIC_BEGIN); break;
  case BP_ATOMIC_END: lower_edge (w, IR_ATOMIC_END); break;
  case BP_SKIP: break;
  case BP_GOTO:
  case BP_END_THREAD:
  case BP_NUM_KINDS: BUG ("these should have been treated before");
  }
  if (region) end_region (w);
  lower_goto (w, d->next.data[0]);
}

void lower_step (bp_lowering *w, bp_loc l) {
  const bp_location *d = bp_loc_at (w->p, l);
  lower_forget (w);
  w->at = lower_loc (w, l);
  w->pos = lower_position (w, d->pos);
  w->statement = l.i + 1;
  if (d->kind == BP_GOTO) lower_jump (w, d);
  else if (d->kind == BP_END_THREAD) lower_end (w, d);
  else lower_straight (w, d);
}
