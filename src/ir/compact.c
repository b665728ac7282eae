// Compacts the automata after folding: removes branches with a constant condition, nops, unreachable locations, and
// unused registers.  The remaining locations, edges and registers get new numbers, in the old order.
#include <string.h>

#include "ir/simplify_impl.h"

// ---- branches ------------------------------------------------------------------------------------------------

static bool is_constant_assume (const ir_program *p, const ir_edge_data *e, bool value) {
  if (e->op != IR_ASSUME) return false;
  const ir_expr_node *n = ir_expr_at (p, p->args.data[e->first_arg]);
  return n->op == IR_X_CONST && n->value == value;
}

// Do both edges of a branch lead to the same location?  Then the condition does not matter.
static bool is_idle_branch (ir_program *p, const ir_edge_data *e) {
  if (e[0].op != IR_ASSUME || e[1].op != IR_ASSUME || e[0].to.i != e[1].to.i) return false;
  return ir_not (p, p->args.data[e[0].first_arg]).i == p->args.data[e[1].first_arg].i;
}

// Removes the other edges of a branch if one condition is constantly true, since branches exclude each other.  Removes
// an edge whose condition is constantly false; but the last edge of a location stays, as the end of an infeasible
// execution.
static void fold_branch (ir_program *p, const ir_loc_data *l, bool *dead) {
  uint32_t first = l->first_edge, end = l->first_edge + l->num_edges, left = l->num_edges;
  if (left == 2 && is_idle_branch (p, &p->edges.data[first])) {
    dead[first + 1] = true;
    simplify_to_nop (&p->edges.data[first]);
    return;
  }
  for (uint32_t e = first; e < end; e++) {
    if (!is_constant_assume (p, &p->edges.data[e], true)) continue;
    for (uint32_t other = first; other < end; other++) dead[other] = other != e;
    simplify_to_nop (&p->edges.data[e]);
    return;
  }
  for (uint32_t e = first; e < end && left > 1; e++)
    if (is_constant_assume (p, &p->edges.data[e], false)) dead[e] = true, left--;
}

// ---- nops ------------------------------------------------------------------------------------------------------

// Returns the only edge from l if it is a nop, else NULL.
static const ir_edge_data *only_nop (const ir_program *p, uint32_t l, const bool *dead) {
  const ir_loc_data *d = &p->locs.data[l];
  for (uint32_t e = d->first_edge; e < d->first_edge + d->num_edges; e++)
    if (!dead[e])
      return p->edges.data[e].op == IR_NOP && p->edges.data[e].to.i < p->locs.count ? &p->edges.data[e] : NULL;
  return NULL;
}

// Counts the edges into each location; the entry of a procedure gets one more.
static void count_incoming_edges (const ir_program *p, const bool *dead, uint32_t *arrivals) {
  for (uint32_t e = 0; e < p->edges.count; e++)
    if (!dead[e] && p->edges.data[e].to.i < p->locs.count) arrivals[p->edges.data[e].to.i]++;
  for (uint32_t f = 0; f < p->procs.count; f++)
    if (p->procs.data[f].entry.i != IR_NONE) arrivals[p->procs.data[f].entry.i] += 2;
}

// Moves each label forward along nops, as long as the next location has no other incoming edge and no label of its own.
static void move_labels (ir_program *p, const bool *dead) {
  size_t bytes = p->locs.count * sizeof (uint32_t);
  uint32_t *arrivals = mem_zalloc (bytes);
  count_incoming_edges (p, dead, arrivals);
  for (uint32_t l = 0; l < p->locs.count; l++) {
    const ir_edge_data *e = NULL;
    for (uint32_t at = l; p->locs.data[at].label && (e = only_nop (p, at, dead)); at = e->to.i) {
      if (arrivals[e->to.i] != 1 || p->locs.data[e->to.i].label || e->to.i == l) break;
      p->locs.data[e->to.i].label = p->locs.data[at].label;
      p->locs.data[at].label = NULL;
    }
  }
  mem_free (arrivals, bytes);
}

enum { UNKNOWN = UINT32_MAX - 1, ON_PATH = UINT32_MAX - 2 };

// Finds the location that a thread at l reaches by nops alone, and enters it in `goal`.  The search stops at a label.
// A cycle of nops is an endless loop: the location at which the search closes the cycle represents it, and keeps its
// nop.
static void skip_nops (ir_program *p, uint32_t l, uint32_t *goal, const bool *dead) {
  VEC (uint32_t) path = {0};
  uint32_t at = l;
  while (goal[at] == UNKNOWN) {
    const ir_edge_data *e = p->locs.data[at].label ? NULL : only_nop (p, at, dead);
    if (!e) goal[at] = at;
    else {
      goal[at] = ON_PATH;
      vec_push (&path, at);
      at = e->to.i;
    }
  }
  uint32_t end = goal[at] == ON_PATH ? at : goal[at];
  for (uint32_t i = 0; i < path.count; i++) goal[path.data[i]] = end;
  vec_release (&path);
}

static void bypass_nops (ir_program *p, const bool *dead) {
  size_t bytes = p->locs.count * sizeof (uint32_t);
  uint32_t *goal = mem_alloc (bytes);
  move_labels (p, dead);
  for (uint32_t l = 0; l < p->locs.count; l++) goal[l] = UNKNOWN;
  for (uint32_t l = 0; l < p->locs.count; l++) skip_nops (p, l, goal, dead);
  for (uint32_t e = 0; e < p->edges.count; e++)
    if (!dead[e] && p->edges.data[e].to.i != IR_NONE) p->edges.data[e].to.i = goal[p->edges.data[e].to.i];
  for (uint32_t f = 0; f < p->procs.count; f++)
    if (p->procs.data[f].entry.i != IR_NONE) p->procs.data[f].entry.i = goal[p->procs.data[f].entry.i];
  mem_free (goal, bytes);
}

// ---- unreachable locations -----------------------------------------------------------------------------------

// Marks the locations that are reachable from an entry.  All locations of a procedure without an entry are marked: such
// a procedure is not well-formed, and ir_check reports it.
static void mark_reachable_locs (const ir_program *p, const bool *dead, bool *reached) {
  VEC (uint32_t) stack = {0};
  for (uint32_t f = 0; f < p->procs.count; f++) {
    const ir_proc_data *d = &p->procs.data[f];
    if (d->entry.i != IR_NONE) vec_push (&stack, d->entry.i);
    else
      for (uint32_t i = 0; i < d->locs.count; i++) vec_push (&stack, d->locs.data[i].i);
  }
  while (stack.count) {
    uint32_t l = vec_pop (&stack);
    if (reached[l]) continue;
    reached[l] = true;
    const ir_loc_data *d = &p->locs.data[l];
    for (uint32_t e = d->first_edge; e < d->first_edge + d->num_edges; e++)
      if (!dead[e] && p->edges.data[e].to.i != IR_NONE) vec_push (&stack, p->edges.data[e].to.i);
  }
  vec_release (&stack);
}

static void copy_list (ir_program *p, const ir_expr *old, uint32_t *first, uint32_t count) {
  uint32_t start = p->args.count;
  for (uint32_t k = 0; k < count; k++) vec_push (&p->args, old[*first + k]);
  *first = start;
}

// Keeps only the operand lists of the remaining edges, in the order of the edges.
static void renumber_args (ir_program *p) {
  ir_expr *old = p->args.data;
  size_t bytes = p->args.capacity * sizeof *old;
  p->args.data = NULL;
  p->args.count = p->args.capacity = 0;
  for (uint32_t e = 0; e < p->edges.count; e++) {
    ir_edge_data *d = &p->edges.data[e];
    copy_list (p, old, &d->first_arg, d->num_args);
    copy_list (p, old, &d->first_name_arg, d->num_name_args);
  }
  mem_free (old, bytes);
}

static void renumber_locs (ir_program *p, const bool *dead, const bool *reached) {
  size_t bytes = p->locs.count * sizeof (uint32_t);
  uint32_t *number = mem_alloc (bytes), locs = 0, edges = 0;
  for (uint32_t l = 0; l < p->locs.count; l++) {
    number[l] = reached[l] ? locs : IR_NONE;
    if (reached[l]) p->locs.data[locs++] = p->locs.data[l];
  }
  p->locs.count = locs;
  for (uint32_t e = 0; e < p->edges.count; e++) {
    ir_edge_data d = p->edges.data[e];
    if (dead[e] || !reached[d.from.i]) continue;
    d.from.i = number[d.from.i];
    if (d.to.i != IR_NONE) d.to.i = number[d.to.i];
    p->edges.data[edges++] = d;
  }
  p->edges.count = edges;
  for (uint32_t f = 0; f < p->procs.count; f++) {
    ir_proc_data *d = &p->procs.data[f];
    uint32_t count = 0;
    for (uint32_t i = 0; i < d->locs.count; i++)
      if (number[d->locs.data[i].i] != IR_NONE) d->locs.data[count++].i = number[d->locs.data[i].i];
    d->locs.count = count;
    if (d->entry.i != IR_NONE) d->entry.i = number[d->entry.i];
  }
  mem_free (number, bytes);
}

void simplify_shape (ir_program *p) {
  size_t edge_bytes = p->edges.count * sizeof (bool), loc_bytes = p->locs.count * sizeof (bool);
  bool *dead = mem_zalloc (edge_bytes), *reached = mem_zalloc (loc_bytes);
  bypass_nops (p, dead);  // first, since this shows which branches lead to one location
  for (uint32_t l = 0; l < p->locs.count; l++) fold_branch (p, &p->locs.data[l], dead);
  bypass_nops (p, dead);
  mark_reachable_locs (p, dead, reached);
  renumber_locs (p, dead, reached);
  renumber_args (p);
  mem_free (dead, edge_bytes);
  mem_free (reached, loc_bytes);
  ir_finish (p);
}

// ---- registers -------------------------------------------------------------------------------------------------

static ir_expr rename_regs (ir_program *p, ir_expr x, const uint32_t *number) {
  ir_expr_node n = *ir_expr_at (p, x);
  if (n.op == IR_X_REG) n.reg.i = number[n.reg.i];
  for (unsigned k = 0; k < ir_expr_arity (n.op); k++) n.arg[k] = rename_regs (p, n.arg[k], number);
  return ir_intern (p, &n);
}

static void rename_list (ir_program *p, uint32_t first, uint32_t count, const uint32_t *number) {
  for (uint32_t k = 0; k < count; k++) p->args.data[first + k] = rename_regs (p, p->args.data[first + k], number);
}

static void mark_regs (const ir_program *p, ir_expr x, bool *used) {
  const ir_expr_node *n = ir_expr_at (p, x);
  if (n->op == IR_X_REG) used[n->reg.i] = true;
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) mark_regs (p, n->arg[k], used);
}

static void mark_edge_regs (const ir_program *p, const ir_edge_data *e, bool *used) {
  for (uint32_t k = 0; k < e->num_args; k++) mark_regs (p, p->args.data[e->first_arg + k], used);
  for (uint32_t k = 0; k < e->num_name_args; k++) mark_regs (p, p->args.data[e->first_name_arg + k], used);
  if (e->dst.i != IR_NONE) used[e->dst.i] = true;
  if (e->dst2.i != IR_NONE) used[e->dst2.i] = true;
}

static void rename_edge (ir_program *p, ir_edge_data *e, const uint32_t *number) {
  rename_list (p, e->first_arg, e->num_args, number);
  rename_list (p, e->first_name_arg, e->num_name_args, number);
  if (e->dst.i != IR_NONE) e->dst.i = number[e->dst.i];
  if (e->dst2.i != IR_NONE) e->dst2.i = number[e->dst2.i];
}

void simplify_registers (ir_program *p, ir_proc f) {
  ir_proc_data *d = ir_proc_at (p, f);
  uint32_t old = d->regs.count, count = 0;
  bool *used = mem_zalloc (old * sizeof *used);
  uint32_t *number = mem_alloc (old * sizeof *number);
  for (int pass = 0; pass < 2; pass++) {  // find them, then rename them
    for (uint32_t i = 0; i < d->locs.count; i++) {
      const ir_loc_data *l = ir_loc_at (p, d->locs.data[i]);
      for (uint32_t e = l->first_edge; e < l->first_edge + l->num_edges; e++) {
        if (pass) rename_edge (p, &p->edges.data[e], number);
        else mark_edge_regs (p, &p->edges.data[e], used);
      }
    }
    for (uint32_t r = 0; !pass && r < old; r++) {
      number[r] = count;
      if (r < d->num_params || used[r]) d->regs.data[count++] = d->regs.data[r];
    }
    if (count == old) break;
  }
  d->regs.count = count;
  mem_free (used, old * sizeof *used);
  mem_free (number, old * sizeof *number);
}
