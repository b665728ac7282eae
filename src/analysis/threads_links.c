// Handles that lie in objects of their own, to which an array points:
//
//   for (i = 0; i < n; i++) { p = malloc (...); a[i] = p; pthread_create (&p->handle, ...); }
//   for (j = 0; j < n; j++) pthread_join (a[j]->handle, ...);
//
// threads_loops.c examines the counters and the array. This file checks, by reachability in the procedure, that
//   - creating: between the last step of the counter and a creation an object is created, and after that its address is
//     stored in the array (the *link*); it is not stored there again before the next step. So when a round that created
//     a thread ends, the array element points to an object that no other round has;
//   - joining: the handle is loaded in the round in which the pointer was loaded;
// and that no operation of the program except this creation may write the handle of such an object.
#include "analysis/threads_impl.h"

static const ir_expr_node *link_expr (const ir_program *p, ir_expr x) { return ir_expr_at (p, x); }

// Splits an address into register + constant; returns false if it has another form.
static bool split_linear_address (const ir_program *p, ir_expr x, ir_reg *r, ir_value *offset) {
  const ir_expr_node *n = link_expr (p, x);
  *offset = 0;
  if (n->op == IR_X_ADD && link_expr (p, n->arg[1])->op == IR_X_CONST) {
    *offset = link_expr (p, n->arg[1])->value;
    n = link_expr (p, n->arg[0]);
  }
  *r = n->reg;
  return n->op == IR_X_REG;
}

// Returns the only edge that sets the base register of argument 0; IR_NONE: there is none.
static ir_edge definition_of_base (const ir_program *p, const definitions *defined, ir_edge e) {
  ir_reg r;
  ir_value offset;
  if (!split_linear_address (p, ir_arg (p, e, 0), &r, &offset) || defined[r.i].count != 1) return (ir_edge){IR_NONE};
  return defined[r.i].edge[0];
}

// Returns whether every path to `target`, from the start and from a step, goes through `passing`.
static bool is_on_every_path (const ir_program *p, const counting_loop *l, ir_edge passing, ir_edge target) {
  return !loops_get_past (p, l->init, target, &passing, 1) && !loops_get_past (p, l->step, target, &passing, 1);
}

// ---- creating -----------------------------------------------------------------------------------------

static bool is_link (const ir_program *p, const counting_loop *l, ir_edge e, ir_edge made) {
  const ir_edge_data *d = ir_edge_at (p, e);
  if (d->op != IR_STORE || d->bytes != p->pointer_bits / 8 || !loops_mention (p, ir_arg (p, e, 0), l->counter))
    return false;
  const ir_expr_node *stored = link_expr (p, ir_arg (p, e, 1));
  if (stored->op != IR_X_REG || stored->reg.i != ir_edge_at (p, made)->dst.i) return false;
  ir_edge round[2] = {l->step, l->init};
  return !loops_get_past (p, made, l->work, &e, 1) && !loops_get_past (p, l->work, e, round, 2);
}

static bool may_write_handle (ir_op op) {
  return op == IR_STORE || op == IR_STORE_RAW || op == IR_RMW || op == IR_CMPXCHG || op == IR_THREAD_CREATE;
}

// Returns whether no other edge writes the handles that this edge writes.
static bool is_only_writer (const slice *s, ir_edge create) {
  const ir_program *p = s->calls->program;
  unsigned handle = p->pointer_bits / 8;
  for (uint32_t e = 0; e < p->edges.count; e++) {
    const ir_edge_data *d = &p->edges.data[e];
    unsigned bytes = d->op == IR_THREAD_CREATE ? handle : d->bytes;
    if (may_write_handle (d->op) && e != create.i &&
        pointsto_overlap (s->calls->pointsto, (ir_edge){e}, 0, bytes, create, 0, handle))
      return false;
  }
  return !pointsto_arg (s->calls->pointsto, create, 0).anything;
}

bool links_creating (const slice *s, counting_loop *l) {
  const ir_program *p = s->calls->program;
  ir_edge made = definition_of_base (p, l->defined, l->work);
  if (made.i == IR_NONE || ir_edge_at (p, made)->op != IR_ALLOC || !is_on_every_path (p, l, made, l->work))
    return false;
  const ir_proc_data *d = ir_proc_at (p, l->proc);
  for (uint32_t k = 0; k < d->locs.count; k++) {
    const ir_loc_data *loc = ir_loc_at (p, d->locs.data[k]);
    if (!loc->num_edges || !is_link (p, l, (ir_edge){loc->first_edge}, made)) continue;
    l->use = (ir_edge){loc->first_edge};
    return is_only_writer (s, l->work);
  }
  return false;
}

// ---- joining ------------------------------------------------------------------------------------------

bool links_joining (const slice *s, counting_loop *l) {
  const ir_program *p = s->calls->program;
  ir_edge pointer = definition_of_base (p, l->defined, l->work);
  if (pointer.i == IR_NONE) return false;
  const ir_edge_data *d = ir_edge_at (p, pointer);
  l->use = pointer;
  return d->op == IR_LOAD && d->bytes == p->pointer_bits / 8 && is_on_every_path (p, l, pointer, l->work);
}

bool links_same (const slice *s, const counting_loop *c, const counting_loop *j) {
  const ir_program *p = s->calls->program;
  bool linked = c->use.i != c->work.i;
  if (!linked) return j->use.i == j->work.i;
  ir_reg object, pointer;
  ir_value there, here;
  return j->use.i != j->work.i && split_linear_address (p, ir_arg (p, c->work, 0), &object, &there) &&
         split_linear_address (p, ir_arg (p, j->work, 0), &pointer, &here) && there == here;
}
