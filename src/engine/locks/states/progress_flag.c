// Let F be a static variable with initial value v, and W all edges that may write another value to it.  If a thread
// passes a branch that it could not pass with the value v of F, then it knows that an edge of W was taken.  If only one
// thread ever takes edges of W, that thread is behind one of them: it is not at a location that no edge of W leads to.
//
// It does not matter how F is read or protected, nor whether it gets the value v again: the edge of W was taken.
// Memory is sequentially consistent.
#include "engine/locks/states/states_impl.h"

static uint64_t flag_key (const progress_flag *f) { return (uint64_t) f->object << 32 | f->offset; }

// ---- which variable a branch looks at ----------------------------------------------------------------------------
typedef struct flag_search {
  lock_analysis *a;
  progress_flag flag;
  bool found, several;
} flag_search;

// The initial value; false: it is not a number.
static bool initial_flag_value (const ir_program *p, const progress_flag *f, ir_value *x) {
  const ir_object_data *o = &p->objects.data[f->object];
  if (o->kind != IR_O_GLOBAL || o->relocations.count || (uint64_t) f->offset + f->bytes > o->size) return false;
  *x = 0;
  for (uint32_t k = f->bytes; o->init && k-- > 0;) *x = *x << 8 | o->init[f->offset + k];
  return true;
}

static bool loaded_flag (lock_analysis *a, const value_node *reg, progress_flag *out) {
  ir_edge e = a->values.definition[reg->a][reg->b];
  if (e.i >= IR_NONE - 1 || ir_edge_at (a->program, e)->op != IR_LOAD) return false;
  term_address at = address_in (&a->values, (ir_proc){reg->a}, ir_arg (a->program, e, 0));
  const value_node *base = at.base.i == VALUE_NONE ? NULL : value_node_at (&a->values, at.base);
  if (!base || base->kind != V_ADDR || base->a >= a->program->objects.count || at.offset < 0) return false;
  *out = (progress_flag){
      .at = at, .object = base->a, .offset = (uint32_t) at.offset, .bytes = ir_edge_at (a->program, e)->bytes};
  return reg->bits == 8 * out->bytes && at.offset < INT32_MAX;
}

static value_term first_value_of (void *state, value_term leaf) {
  flag_search *l = state;
  const value_node n = *value_node_at (&l->a->values, leaf);
  progress_flag f;
  ir_value x;
  if (n.kind != V_REG || !loaded_flag (l->a, &n, &f) || !initial_flag_value (l->a->program, &f, &x))
    return (value_term){VALUE_NONE};
  l->several |= l->found && (flag_key (&f) != flag_key (&l->flag) || f.bytes != l->flag.bytes);
  l->found = true;
  l->flag = f;
  return value_const (&l->a->values, n.bits, x);
}

// The branch cannot be taken with the initial value.
static bool asks_for_change (lock_analysis *a, ir_edge e, progress_flag *out) {
  const ir_edge_data *d = ir_edge_at (a->program, e);
  if (d->op != IR_ASSUME) return false;
  flag_search l = {.a = a};
  value_term v = value_of_expr (&a->values, ir_loc_at (a->program, d->from)->proc, ir_arg (a->program, e, 0));
  if (v.i == VALUE_NONE) return false;
  value_term before = value_replace (&a->values, v, first_value_of, &l);
  ir_value x;
  *out = l.flag;
  return l.found && !l.several && before.i != VALUE_NONE && value_constant (&a->values, before, &x) && !x;
}

// ---- which threads write it ----------------------------------------------------------------------------------------
static bool may_write_memory (const ir_program *p, ir_edge e) {
  ir_op op = ir_edge_at (p, e)->op;
  return op == IR_STORE || op == IR_STORE_RAW || op == IR_RMW || op == IR_CMPXCHG || op == IR_THREAD_CREATE ||
         op == IR_FREE || op == IR_FORGET || ir_op_table[op].group == 'S';
}

static bool writes_first_value (lock_analysis *a, ir_edge e, const progress_flag *f) {
  const ir_edge_data *d = ir_edge_at (a->program, e);
  if (d->op != IR_STORE || d->bytes != f->bytes) return false;
  const ir_expr_node *at = ir_expr_at (a->program, ir_arg (a->program, e, 0)),
                     *stored = ir_expr_at (a->program, ir_arg (a->program, e, 1));
  ir_value x;
  return at->op == IR_X_ADDR && at->object.i == f->object && at->offset == f->offset && stored->op == IR_X_CONST &&
         initial_flag_value (a->program, f, &x) && stored->value == x;
}

static bool may_change (lock_analysis *a, ir_edge e, const progress_flag *f) {
  if (!may_write_memory (a->program, e) || writes_first_value (a, e, f)) return false;
  for (unsigned k = 0; k < ir_edge_at (a->program, e)->num_args && k < 2; k++) {
    pointsto_list all = pointsto_targets (a->targets, e, k);
    bool stores = k && ir_op_table[ir_edge_at (a->program, e)->op].group != 'S';  // the stored value, not an address
    if (stores) continue;
    if (all.anything) return true;
    for (uint32_t i = 0; i < all.count; i++) {
      pointsto_target t = all.targets[i];
      uint64_t bytes = ir_edge_at (a->program, e)->op == IR_STORE ? ir_edge_at (a->program, e)->bytes : UINT32_MAX;
      if (t.object == f->object && (t.offset == POINTSTO_ANY_OFFSET ||
                                    (t.offset < (uint64_t) f->offset + f->bytes && f->offset < t.offset + bytes)))
        return true;
    }
  }
  return false;
}

// The only kind that runs these edges, if it has only one thread; else IR_NONE.
static uint32_t only_kind (const lock_analysis *a, const edge_list *edges) {
  uint32_t only = IR_NONE;
  for (uint32_t e = 0; e < edges->count; e++)
    for (uint32_t k = 0; k < threads_count (a->threads); k++) {
      if (!threads_runs (a->threads, k, ir_edge_at (a->program, edges->data[e])->from)) continue;
      if (only != IR_NONE && only != k) return IR_NONE;
      only = k;
    }
  if (only == IR_NONE || only == 0) return only;
  return unique_edge (a->unique, threads_creator (a->threads, only)) ? only : IR_NONE;
}

static void find_writer (lock_analysis *a, progress_flag *f) {
  edge_list changes = {0};
  for (uint32_t e = 0; e < a->program->edges.count; e++)
    if (may_change (a, (ir_edge){e}, f)) vec_push (&changes, (ir_edge){e});
  f->writer = only_kind (a, &changes);
  f->after_write = f->writer == IR_NONE ? NULL : reachable_after (a->program, a->targets, &changes);
  vec_release (&changes);
}

// ---- all of them ----------------------------------------------------------------------------------------------------
static uint32_t add_flag (lock_analysis *a, progress_flag f) {
  for (uint32_t k = 0; k < a->flags.count; k++)
    if (flag_key (&a->flags.data[k]) == flag_key (&f) && a->flags.data[k].bytes == f.bytes) return k;
  find_writer (a, &f);
  f.fact = use_of (lock_named (&a->locks, IR_NO_FAMILY, f.at, (lock_site){{IR_NONE}, 0, 0}), false).i;
  vec_push (&a->flags, f);
  return a->flags.count - 1;
}

void find_flags (lock_analysis *a) {
  uint32_t edges = threads_count (a->threads) > 1 ? a->program->edges.count : 0;
  for (uint32_t e = 0; e < edges; e++) {
    progress_flag f;
    if (!asks_for_change (a, (ir_edge){e}, &f)) continue;
    uint32_t k = add_flag (a, f);
    if (a->flags.data[k].writer != IR_NONE) map_insert (&a->flag_branches, e, k, NULL);
  }
}

void flags_release (lock_analysis *a) {
  for (uint32_t k = 0; k < a->flags.count; k++)
    if (a->flags.data[k].after_write) mem_free (a->flags.data[k].after_write, reachable_bytes (a->program));
  vec_release (&a->flags);
  map_release (&a->flag_branches);
}

bool flag_observed (lock_analysis *a, ir_edge e, lock_use *fact) {
  const uint64_t *k = map_find (&a->flag_branches, e.i);
  if (k) *fact = (lock_use){a->flags.data[*k].fact};
  return k;
}

bool flags_exclude (lock_analysis *a, uint32_t kind, ir_loc l, uint32_t facts) {
  for (uint32_t k = 0; k < a->flags.count; k++) {
    const progress_flag *f = &a->flags.data[k];
    if (f->writer == kind && !f->after_write[l.i] && idset_has (&a->effects.sets, facts, f->fact)) return true;
  }
  return false;
}
