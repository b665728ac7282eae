// Registers whose values the pushdown system tracks.  First, results of lock operations, so that `if (trylock (...) ==
// 0)` goes the way that the operation went.  Second, addresses of globals on their way to a lock operation or an
// indirect call, so that wrappers such as `void enter (pthread_mutex_t *m)` mean the lock that they are called with.
// Everything else is unknown, and branches on it go both ways.
#include <string.h>

#include "base/limits.h"
#include "engine/pushdown/pushdown_impl.h"

// ---- which registers ---------------------------------------------------------------------------------

typedef void (*reg_visit) (void *state, ir_reg);

static void visit_regs (const ir_program *p, ir_expr x, reg_visit visit, void *state) {
  const ir_expr_node *n = ir_expr_at (p, x);
  if (n->op == IR_X_REG) visit (state, n->reg);
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) visit_regs (p, n->arg[k], visit, state);
}

typedef struct register_liveness {
  uint8_t *kept;
  uint8_t as;
  bool changed;
} register_liveness;

static void mark_reg (void *state, ir_reg r) {
  register_liveness *m = state;
  if (m->kept[r.i] & m->as) return;
  m->kept[r.i] |= m->as;
  m->changed = true;
}

static void mark_expr (pushdown *d, ir_proc f, ir_expr x, uint8_t as, bool *changed) {
  register_liveness m = {.kept = d->kept[f.i], .as = as};
  visit_regs (d->program, x, mark_reg, &m);
  *changed |= m.changed;
}

typedef struct register_query {
  const uint8_t *kept;
  bool all, any;
} register_query;

static void ask_reg (void *state, ir_reg r) {
  register_query *a = state;
  bool is_result = a->kept[r.i] & KEEP_RESULT;
  a->any |= is_result;
  a->all &= is_result;
}

// Does the value depend on results of lock operations only?
static bool is_over_results (const pushdown *d, ir_proc f, ir_expr x) {
  register_query a = {.kept = d->kept[f.i], .all = true};
  visit_regs (d->program, x, ask_reg, &a);
  return a.any && a.all;
}

static void mark_dst (pushdown *d, ir_proc f, ir_reg r, bool *changed) {
  register_liveness m = {.kept = d->kept[f.i], .as = KEEP_RESULT};
  if (r.i != IR_NONE) mark_reg (&m, r);
  *changed |= m.changed;
}

static ir_proc direct_callee (const ir_program *p, ir_edge e) {
  const ir_expr_node *callee = ir_expr_at (p, ir_arg (p, e, 0));
  return callee->op == IR_X_ADDR ? ir_object_at (p, callee->object)->proc : (ir_proc){IR_NONE};
}

static bool returns_results (const pushdown *d, ir_proc f) {
  const ir_proc_data *proc = ir_proc_at (d->program, f);
  for (uint32_t k = 0; k < proc->locs.count; k++) {
    const ir_loc_data *l = ir_loc_at (d->program, proc->locs.data[k]);
    ir_edge e = {l->first_edge};
    const ir_edge_data *edge = l->num_edges ? ir_edge_at (d->program, e) : NULL;
    if (edge && edge->op == IR_RETURN && edge->num_args && is_over_results (d, f, ir_arg (d->program, e, 0)))
      return true;
  }
  return false;
}

// A caller tracks arguments that lead to addresses in its callees, and results that its callees return.
static void mark_call (pushdown *d, ir_proc f, ir_edge e, bool *changed) {
  const ir_program *p = d->program;
  const ir_edge_data *edge = ir_edge_at (p, e);
  ir_proc callee = direct_callee (p, e);
  mark_expr (d, f, ir_arg (p, e, 0), KEEP_ADDRESS, changed);
  if (callee.i == IR_NONE) return;
  for (uint32_t k = 0; k + 1 < edge->num_args && k < ir_proc_at (p, callee)->num_params; k++)
    if (d->kept[callee.i][k] & KEEP_ADDRESS) mark_expr (d, f, ir_arg (p, e, k + 1), KEEP_ADDRESS, changed);
  if (returns_results (d, callee)) mark_dst (d, f, edge->dst, changed);
}

static void mark_live_edge (pushdown *d, ir_proc f, ir_edge e, bool *changed) {
  const ir_program *p = d->program;
  const ir_edge_data *edge = ir_edge_at (p, e);
  lock_op op = lockop_of (edge->op);
  if (op.action != IR_NO_ACTION) {
    mark_expr (d, f, ir_arg (p, e, op.arg), KEEP_ADDRESS, changed);
    mark_dst (d, f, edge->dst, changed);
  } else if (edge->op == IR_CALL) mark_call (d, f, e, changed);
  else if (edge->op == IR_ASSIGN) {
    if (d->kept[f.i][edge->dst.i] & KEEP_ADDRESS) mark_expr (d, f, ir_arg (p, e, 0), KEEP_ADDRESS, changed);
    if (is_over_results (d, f, ir_arg (p, e, 0))) mark_dst (d, f, edge->dst, changed);
  }
}

void known_prepare (pushdown *d) {
  const ir_program *p = d->program;
  d->kept = arena_zalloc (d->arena, sizeof *d->kept * (p->procs.count + 1));
  d->live = arena_zalloc (d->arena, sizeof *d->live * (p->procs.count + 1));
  d->loc_index = arena_zalloc (d->arena, sizeof *d->loc_index * (p->locs.count + 1));
  for (uint32_t f = 0; f < p->procs.count; f++) {
    d->kept[f] = arena_zalloc (d->arena, p->procs.data[f].regs.count + 1);
    for (uint32_t k = 0; k < p->procs.data[f].locs.count; k++) d->loc_index[p->procs.data[f].locs.data[k].i] = k;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = 0; k < p->edges.count; k++)
      mark_live_edge (d, ir_loc_at (p, p->edges.data[k].from)->proc, (ir_edge){k}, &changed);
  }
}

// Of each procedure when it is first asked for.
static const proc_liveness *liveness_of_proc (pushdown *d, ir_proc f) {
  proc_liveness *live = &d->live[f.i];
  if (!live->flow.num_nodes) proc_liveness_find (live, d->program, f, NULL, ir_proc_at (d->program, f)->regs.count);
  return live;
}

void known_release (pushdown *d) {
  for (uint32_t f = 0; d->live && f < d->program->procs.count; f++) proc_liveness_release (&d->live[f]);
}

// ---- sets of known registers -------------------------------------------------------------------------

void known_load (const pushdown *d, uint32_t known, known_set *out) {
  size_t bytes;
  const void *regs = intern_get (&d->knowns, known, &bytes);
  out->count = (uint32_t) (bytes / sizeof *out->regs);
  memcpy (out->regs, regs, bytes);
}

uint32_t known_intern (pushdown *d, const known_set *k) {
  return intern_add (&d->knowns, k->regs, k->count * sizeof *k->regs, NULL);
}

void known_forget (known_set *k, ir_reg r) {
  uint32_t kept = 0;
  for (uint32_t j = 0; j < k->count; j++)
    if (k->regs[j].reg != r.i) k->regs[kept++] = k->regs[j];
  k->count = kept;
}

// Tracks only addresses inside static objects: a counter must not produce ever new sets of values.
static bool is_static_address (const ir_program *p, uint64_t value) {
  uint64_t object = value >> p->offset_bits, offset = value & ((UINT64_C (1) << p->offset_bits) - 1);
  return object && object < p->objects.count && offset <= p->objects.data[object].size;
}

void known_assign (pushdown *d, known_set *k, ir_proc f, ir_reg r, bool has_value, uint64_t value) {
  uint8_t kept = d->kept[f.i][r.i];
  known_forget (k, r);
  if (!has_value || at_limit (PUSHDOWN_KNOWN, k->count)) return;
  if (!(kept & KEEP_RESULT) && !(kept & KEEP_ADDRESS && is_static_address (d->program, value))) return;
  uint32_t at = k->count++;
  for (; at && k->regs[at - 1].reg > r.i; at--) k->regs[at] = k->regs[at - 1];
  k->regs[at] = (known_reg){.reg = r.i, .value = value};
}

void known_prune (pushdown *d, known_set *k, ir_loc l) {
  uint32_t kept = 0;
  const proc_liveness *live = liveness_of_proc (d, ir_loc_at (d->program, l)->proc);
  for (uint32_t j = 0; j < k->count; j++)
    if (proc_liveness_at (live, l, k->regs[j].reg)) k->regs[kept++] = k->regs[j];
  k->count = kept;
}

// ---- evaluation --------------------------------------------------------------------------------------

static bool known_reg_value (const known_set *k, ir_reg r, uint64_t *value) {
  for (uint32_t j = 0; j < k->count; j++)
    if (k->regs[j].reg == r.i) return *value = k->regs[j].value, true;
  return false;
}

static bool evaluate_known (const pushdown *d, const known_set *k, ir_expr x, uint64_t *value, unsigned depth) {
  const ir_program *p = d->program;
  const ir_expr_node *n = ir_expr_at (p, x);
  if (n->bits > 64 || over_limit (PUSHDOWN_EXPRESSION, depth)) return false;
  if (n->op == IR_X_CONST) return *value = (uint64_t) n->value, true;
  if (n->op == IR_X_REG) return known_reg_value (k, n->reg, value);
  if (n->op == IR_X_ADDR) {
    *value = (uint64_t) n->object.i << p->offset_bits | n->offset;
    return ir_object_at (p, n->object)->kind != IR_O_THREAD_LOCAL;
  }
  ir_value args[3] = {0};
  unsigned arity = ir_expr_arity (n->op);
  for (unsigned j = 0; j < arity; j++) {
    uint64_t part;
    if (!evaluate_known (d, k, n->arg[j], &part, depth + 1)) return false;
    args[j] = part;
  }
  *value = (uint64_t) ir_eval_op (n->op, n->bits, ir_expr_at (p, n->arg[n->op == IR_X_ITE])->bits, args);
  return true;
}

bool known_eval (const pushdown *d, const known_set *k, ir_expr x, uint64_t *value) {
  return evaluate_known (d, k, x, value, 0);
}
