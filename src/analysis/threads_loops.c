// Pairs of loops over an array of handles: one creates a thread per element, the other joins every element.
//
//   for (i = 0; i < n; i++) pthread_create (&t[i], ...);
//   for (j = 0; j < n; j++) pthread_join (t[j], ...);
//
// If n is unknown the loops cannot be unrolled. They are recognised by their shape: a counter that is set to a constant
// by one edge and stepped by one by another, compared with the same bound in both loops; the same address as a function
// of the counter, linear, with elements that do not overlap. Reachability in the procedure shows that
//   - creating: the counter is below the bound whenever a thread is created, and is stepped between any two creations;
//   - joining: no step is taken without a join of the element that belongs to the counter's value.
// The handle may also lie in an object of its own, to which the array points (threads_links.c). Bound and address may
// use registers (then both loops are in one procedure) and values loaded from static objects. The walk checks that none
// of this changes from the first loop to the end of the second (threads_batches.c).
#include "analysis/threads_impl.h"
#include "base/limits.h"

typedef struct loop_finder {
  const slice *s;
  const ir_program *p;
  ir_proc proc;
  definitions *defined;  // [register] of the procedure
  VEC (counting_loop) creating, joining;
  VEC (definitions *) tables;  // of all procedures with a loop, to be freed
} loop_finder;

// ---- the control flow of a procedure ------------------------------------------------------------------

static bool is_among (const ir_edge *edges, uint32_t count, uint32_t e) {
  for (uint32_t k = 0; k < count; k++)
    if (edges[k].i == e) return true;
  return false;
}

bool loops_get_past (const ir_program *p, ir_edge after, ir_edge target, const ir_edge *without, uint32_t count) {
  map seen = {0};
  id_list open = {0};
  uint32_t goal = ir_edge_at (p, target)->from.i;
  bool found = false;
  vec_push (&open, ir_edge_at (p, after)->to.i);
  while (open.count && !found) {
    uint32_t loc = vec_pop (&open);
    bool is_new;
    map_insert (&seen, loc, 1, &is_new);
    if (!is_new) continue;
    found = loc == goal;
    const ir_loc_data *l = &p->locs.data[loc];
    for (uint32_t e = l->first_edge; e < l->first_edge + l->num_edges; e++)
      if (p->edges.data[e].to.i != IR_NONE && !is_among (without, count, e)) vec_push (&open, p->edges.data[e].to.i);
  }
  map_release (&seen);
  vec_release (&open);
  return found;
}

static void note_definition (definitions *table, ir_reg r, uint32_t e) {
  if (r.i == IR_NONE) return;
  if (table[r.i].count < 2) table[r.i].edge[table[r.i].count] = (ir_edge){e};
  table[r.i].count++;
}

static definitions *find_definitions (const ir_program *p, ir_proc f) {
  const ir_proc_data *d = ir_proc_at (p, f);
  definitions *table = mem_zalloc (sizeof *table * (d->regs.count + 1));
  for (uint32_t k = 0; k < d->num_params; k++) table[k].count = 3;  // parameters are set by the caller
  for (uint32_t k = 0; k < d->locs.count; k++) {
    const ir_loc_data *l = ir_loc_at (p, d->locs.data[k]);
    for (uint32_t e = l->first_edge; e < l->first_edge + l->num_edges; e++) {
      note_definition (table, p->edges.data[e].dst, e);
      note_definition (table, p->edges.data[e].dst2, e);
    }
  }
  return table;
}

// ---- counters -----------------------------------------------------------------------------------------

static const ir_expr_node *loop_expr (const ir_program *p, ir_expr x) { return ir_expr_at (p, x); }
static bool is_loop_register (const ir_program *p, ir_expr x, ir_reg r) {
  return loop_expr (p, x)->op == IR_X_REG && loop_expr (p, x)->reg.i == r.i;
}

static bool is_constant_assignment (const ir_program *p, ir_edge e) {
  return ir_edge_at (p, e)->op == IR_ASSIGN && loop_expr (p, ir_arg (p, e, 0))->op == IR_X_CONST;
}

static bool is_step (const ir_program *p, ir_edge e, ir_reg r) {
  if (ir_edge_at (p, e)->op != IR_ASSIGN) return false;
  const ir_expr_node *n = loop_expr (p, ir_arg (p, e, 0));
  if (n->op != IR_X_ADD || !is_loop_register (p, n->arg[0], r)) return false;
  return loop_expr (p, n->arg[1])->op == IR_X_CONST && loop_expr (p, n->arg[1])->value == 1;
}

// Finds the edges of the counter: one sets it to a constant, the other steps it.
static bool find_counter (const loop_finder *f, counting_loop *l) {
  const definitions *d = &f->defined[l->counter.i];
  if (d->count != 2) return false;
  bool first_is_step = is_step (f->p, d->edge[0], l->counter);
  l->step = d->edge[first_is_step ? 0 : 1];
  l->init = d->edge[first_is_step ? 1 : 0];
  return is_step (f->p, l->step, l->counter) && is_constant_assignment (f->p, l->init);
}

// enter: counter < bound; leave: bound <= counter.
static bool find_bound (const ir_program *p, ir_edge enter, ir_edge leave, counting_loop *l) {
  if (ir_edge_at (p, enter)->op != IR_ASSUME || ir_edge_at (p, leave)->op != IR_ASSUME) return false;
  const ir_expr_node *a = loop_expr (p, ir_arg (p, enter, 0)), *b = loop_expr (p, ir_arg (p, leave, 0));
  bool is_pair = (a->op == IR_X_SLT && b->op == IR_X_SLE) || (a->op == IR_X_ULT && b->op == IR_X_ULE);
  if (!is_pair || a->arg[0].i != b->arg[1].i || a->arg[1].i != b->arg[0].i || loop_expr (p, a->arg[0])->op != IR_X_REG)
    return false;
  l->counter = loop_expr (p, a->arg[0])->reg;
  l->enter = enter;
  l->leave = leave;
  l->bound = a->arg[1];
  return true;
}

// ---- bounds and addresses -----------------------------------------------------------------------------

// Returns whether the register is always loaded from the same static address.
static bool is_loaded (const ir_program *p, const definitions *defined, ir_reg r, ir_edge *load) {
  if (defined[r.i].count != 1) return false;
  *load = defined[r.i].edge[0];
  return ir_edge_at (p, *load)->op == IR_LOAD && loop_expr (p, ir_arg (p, *load, 0))->op == IR_X_ADDR;
}

bool loops_mention (const ir_program *p, ir_expr x, ir_reg r) {
  if (is_loop_register (p, x, r)) return true;
  for (unsigned k = 0; k < ir_expr_arity (loop_expr (p, x)->op); k++)
    if (loops_mention (p, loop_expr (p, x)->arg[k], r)) return true;
  return false;
}

// Returns the change of the value when the counter is stepped; 0 if that is not constant.
static int64_t step_distance (const ir_program *p, ir_expr x, ir_reg counter) {
  const ir_expr_node *n = loop_expr (p, x);
  if (n->op == IR_X_REG) return n->reg.i == counter.i;
  if (!loops_mention (p, x, counter)) return 0;
  const ir_expr_node *c = ir_expr_arity (n->op) == 2 ? loop_expr (p, n->arg[1]) : NULL;
  bool by_constant = c && c->op == IR_X_CONST && c->value < 1 << 20;
  switch (n->op) {
  case IR_X_SEXT:
  case IR_X_ZEXT: return step_distance (p, n->arg[0], counter);
  case IR_X_ADD:
    if (loops_mention (p, n->arg[0], counter) && loops_mention (p, n->arg[1], counter)) return 0;
    return step_distance (p, n->arg[0], counter) + step_distance (p, n->arg[1], counter);
  case IR_X_MUL: return by_constant ? step_distance (p, n->arg[0], counter) * (int64_t) c->value : 0;
  case IR_X_SHL: return by_constant && c->value < 20 ? step_distance (p, n->arg[0], counter) << (unsigned) c->value : 0;
  default: return 0;
  }
}

// Returns whether the values loaded for the expression are loaded after the counter was set.
static bool loads_are_fresh (const loop_finder *f, const counting_loop *l, ir_expr x, ir_edge before) {
  const ir_expr_node *n = loop_expr (f->p, x);
  ir_edge load;
  if (n->op == IR_X_REG && n->reg.i != l->counter.i && is_loaded (f->p, f->defined, n->reg, &load))
    return !loops_get_past (f->p, l->init, before, &load, 1);
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++)
    if (!loads_are_fresh (f, l, n->arg[k], before)) return false;
  return true;
}

static bool is_array_access (const loop_finder *f, const counting_loop *l) {
  ir_expr address = ir_arg (f->p, l->use, 0);
  return step_distance (f->p, address, l->counter) >= f->p->pointer_bits / 8 &&
         loads_are_fresh (f, l, address, l->use) && loads_are_fresh (f, l, l->bound, l->enter);
}

// ---- creating -----------------------------------------------------------------------------------------

static void try_creating (loop_finder *f, counting_loop l, ir_edge create) {
  l.use = l.work = create;
  if (!loops_mention (f->p, ir_arg (f->p, create, 0), l.counter) && !links_creating (f->s, &l)) return;
  if (!is_array_access (f, &l)) return;
  bool unchecked =
      loops_get_past (f->p, l.init, create, &l.enter, 1) || loops_get_past (f->p, l.step, create, &l.enter, 1);
  ir_edge steps[2] = {l.step, l.init};
  if (unchecked || loops_get_past (f->p, create, create, steps, 2)) return;
  vec_push (&f->creating, l);
}

// ---- joining ------------------------------------------------------------------------------------------

static bool is_own_handle (const loop_finder *f, ir_expr x) {
  const ir_expr_node *n = loop_expr (f->p, x);
  if (n->op != IR_X_REG || f->defined[n->reg.i].count != 1) return false;
  return ir_edge_at (f->p, f->defined[n->reg.i].edge[0])->op == IR_THREAD_SELF;
}

// Returns whether the edge is `assume handle == own handle`: there is no thread to join then.
static bool is_own_handle_test (const loop_finder *f, ir_edge e, ir_reg handle) {
  if (ir_edge_at (f->p, e)->op != IR_ASSUME) return false;
  const ir_expr_node *n = loop_expr (f->p, ir_arg (f->p, e, 0));
  if (n->op != IR_X_EQ) return false;
  return (is_loop_register (f->p, n->arg[0], handle) && is_own_handle (f, n->arg[1])) ||
         (is_loop_register (f->p, n->arg[1], handle) && is_own_handle (f, n->arg[0]));
}

static ir_edge find_own_handle_test (const loop_finder *f, ir_reg handle) {
  const ir_proc_data *d = ir_proc_at (f->p, f->proc);
  for (uint32_t k = 0; k < d->locs.count; k++) {
    const ir_loc_data *l = ir_loc_at (f->p, d->locs.data[k]);
    for (uint32_t e = l->first_edge; e < l->first_edge + l->num_edges; e++)
      if (is_own_handle_test (f, (ir_edge){e}, handle)) return (ir_edge){e};
  }
  return (ir_edge){IR_NONE};
}

// Returns whether the handle, where it is used, is that of the element at the counter's value.
static bool is_of_this_round (const loop_finder *f, const counting_loop *l, ir_edge used) {
  return !loops_get_past (f->p, l->init, used, &l->work, 1) && !loops_get_past (f->p, l->step, used, &l->work, 1);
}

static void try_joining (loop_finder *f, counting_loop l, ir_edge join) {
  const ir_expr_node *n = loop_expr (f->p, ir_arg (f->p, join, 0));
  if (n->op != IR_X_REG || f->defined[n->reg.i].count != 1) return;
  l.use = l.work = f->defined[n->reg.i].edge[0];
  const ir_edge_data *load = ir_edge_at (f->p, l.work);
  if (load->op != IR_LOAD || load->bytes != f->p->pointer_bits / 8) return;
  if (!loops_mention (f->p, ir_arg (f->p, l.work, 0), l.counter) && !links_joining (f->s, &l)) return;
  if (!is_array_access (f, &l)) return;
  l.done[0] = join;
  l.done[1] = find_own_handle_test (f, n->reg);
  for (uint32_t k = 0; k < 2 && l.done[k].i != IR_NONE; k++)
    if (!is_of_this_round (f, &l, l.done[k])) return;
  if (loops_get_past (f->p, l.init, l.step, l.done, 2) || loops_get_past (f->p, l.step, l.step, l.done, 2)) return;
  vec_push (&f->joining, l);
}

// ---- loops of a procedure -----------------------------------------------------------------------------

static void try_loop (loop_finder *f, const counting_loop *l) {
  const ir_proc_data *d = ir_proc_at (f->p, f->proc);
  for (uint32_t k = 0; k < d->locs.count; k++) {
    uint32_t e = ir_loc_at (f->p, d->locs.data[k])->first_edge;
    if (!ir_loc_at (f->p, d->locs.data[k])->num_edges) continue;
    if (f->p->edges.data[e].op == IR_THREAD_CREATE) try_creating (f, *l, (ir_edge){e});
    if (f->p->edges.data[e].op == IR_THREAD_JOIN) try_joining (f, *l, (ir_edge){e});
  }
}

static void find_in_proc (loop_finder *f) {
  const ir_proc_data *d = ir_proc_at (f->p, f->proc);
  for (uint32_t k = 0; k < d->locs.count; k++) {
    const ir_loc_data *b = ir_loc_at (f->p, d->locs.data[k]);
    counting_loop l = {.proc = f->proc, .defined = f->defined};
    if (b->num_edges != 2) continue;
    ir_edge x = {b->first_edge}, y = {b->first_edge + 1};
    if (!find_bound (f->p, x, y, &l) && !find_bound (f->p, y, x, &l)) continue;
    if (find_counter (f, &l)) try_loop (f, &l);
  }
}

static bool has_thread_operation (const ir_program *p, const ir_proc_data *d) {
  for (uint32_t k = 0; k < d->locs.count; k++) {
    const ir_loc_data *l = ir_loc_at (p, d->locs.data[k]);
    if (l->num_edges && threads_op_matters (p->edges.data[l->first_edge].op)) return true;
  }
  return false;
}

// ---- pairs --------------------------------------------------------------------------------------------

typedef struct pairing {
  const loop_finder *f;
  const counting_loop *c, *j;
  loop_pair *pair;
} pairing;

// Adds an object that must not change; returns false if it cannot be tracked.
static bool watch_object (pairing *m, ir_edge e) {
  pointsto_set set = pointsto_arg (m->f->s->calls->pointsto, e, 0);
  if (set.anything || set.count != 1 || m->f->s->index[set.objects[0]] == IR_NONE) return false;
  small_add (&m->pair->objects, m->f->s->index[set.objects[0]]);
  return true;
}

// Adds the array, which must not be one of the objects from which bound and address are loaded, because the creating
// loop writes it.
static bool watch_array (pairing *m) {
  small_set loaded_from = m->pair->objects;
  m->pair->objects = (small_set){0};
  bool ok = watch_object (m, m->c->use) && !small_intersects (&m->pair->objects, &loaded_from);
  small_unite (&m->pair->objects, &loaded_from);
  return ok;
}

static bool same_loads (pairing *m, ir_reg x, ir_reg y) {
  const ir_program *p = m->f->p;
  ir_edge a, b;
  if (!is_loaded (p, m->c->defined, x, &a) || !is_loaded (p, m->j->defined, y, &b)) return false;
  if (ir_arg (p, a, 0).i != ir_arg (p, b, 0).i || ir_edge_at (p, a)->bytes != ir_edge_at (p, b)->bytes) return false;
  return watch_object (m, a);
}

static bool same_registers (pairing *m, ir_reg x, ir_reg y) {
  if (x.i == m->c->counter.i || y.i == m->j->counter.i) return x.i == m->c->counter.i && y.i == m->j->counter.i;
  if (same_loads (m, x, y)) return true;
  if (m->c->proc.i != m->j->proc.i || x.i != y.i) return false;
  vec_push (&m->pair->registers, x.i);
  return true;
}

// Returns whether y has the same value in the joining loop as x in the creating one.
static bool is_same_value (pairing *m, ir_expr x, ir_expr y) {
  const ir_expr_node *a = loop_expr (m->f->p, x), *b = loop_expr (m->f->p, y);
  if (a->op != b->op || a->bits != b->bits) return false;
  if (a->op == IR_X_REG) return same_registers (m, a->reg, b->reg);
  if (!ir_expr_arity (a->op)) return x.i == y.i;
  for (unsigned k = 0; k < ir_expr_arity (a->op); k++)
    if (!is_same_value (m, a->arg[k], b->arg[k])) return false;
  return true;
}

static bool same_range (const pairing *m) {
  const ir_program *p = m->f->p;
  ir_expr first_c = ir_arg (p, m->c->init, 0), first_j = ir_arg (p, m->j->init, 0);
  return loop_expr (p, ir_arg (p, m->c->enter, 0))->op == loop_expr (p, ir_arg (p, m->j->enter, 0))->op &&
         first_c.i == first_j.i;
}

static threads_round threads_round_of (const counting_loop *c, const counting_loop *j) {
  bool linked = c->use.i != c->work.i;
  return (threads_round){.creator = c->proc,
                         .joiner = j->proc,
                         .created = c->counter,
                         .joined = j->counter,
                         .begin = j->init,
                         .step = j->step,
                         .link = linked ? c->use : (ir_edge){IR_NONE},
                         .pointer = linked ? j->use : (ir_edge){IR_NONE}};
}

static bool try_pair (const loop_finder *f, const counting_loop *c, const counting_loop *j, loop_pair *pair) {
  const ir_program *p = f->p;
  *pair = (loop_pair){.proc = c->proc.i == j->proc.i ? c->proc.i : IR_NONE,
                      .create_begin = c->init,
                      .create = c->work,
                      .join_begin = j->init,
                      .join_end = j->leave,
                      .round = threads_round_of (c, j),
                      .joined = {j->done[0], j->done[1]}};
  pairing m = {f, c, j, pair};
  if (links_same (f->s, c, j) && same_range (&m) && is_same_value (&m, c->bound, j->bound) &&
      is_same_value (&m, ir_arg (p, c->use, 0), ir_arg (p, j->use, 0)) && watch_array (&m))
    return true;
  vec_release (&pair->registers);
  return false;
}

static void find_pairs (const loop_finder *f, loop_pairs *out) {
  for (uint32_t c = 0; c < f->creating.count; c++)
    for (uint32_t j = 0; j < f->joining.count && !at_limit (THREAD_LOOP_PAIRS, out->count); j++) {
      loop_pair pair;
      if (try_pair (f, &f->creating.data[c], &f->joining.data[j], &pair)) vec_push (out, pair);
    }
}

loop_pairs loop_pairs_find (const slice *s) {
  const ir_program *p = s->calls->program;
  loop_pairs found = {0};
  loop_finder f = {.s = s, .p = p};
  for (uint32_t k = 0; k < p->procs.count; k++) {
    f.proc = (ir_proc){k};
    bool worth = s->calls->matters[k] && has_thread_operation (p, &p->procs.data[k]);
    f.defined = worth ? find_definitions (p, f.proc) : NULL;
    vec_push (&f.tables, f.defined);
    if (worth) find_in_proc (&f);
  }
  find_pairs (&f, &found);
  for (uint32_t k = 0; k < p->procs.count; k++)
    if (f.tables.data[k]) mem_free (f.tables.data[k], sizeof (definitions) * (p->procs.data[k].regs.count + 1));
  vec_release (&f.tables);
  vec_release (&f.creating);
  vec_release (&f.joining);
  return found;
}

void loop_pairs_release (loop_pairs *pairs) {
  for (uint32_t k = 0; k < pairs->count; k++) vec_release (&pairs->data[k].registers);
  vec_release (pairs);
}
