// A flow-insensitive analysis of which values may have undefined bits: a value that cannot have any needs no shadow.
//
// The analysis propagates origins through assigns, calls, returns, and starts and ends of threads.  A static object has
// an origin of its own if all accesses name the object; all memory that pointers may reach has one common origin.  For
// the messages, the origin of a value is the edge from which its undefined bits come, as long as there is only one such
// edge.
#include "ir/uninit_impl.h"

static origin join_origins (origin a, origin b) {
  if (a == b || b == ORIGIN_NONE) return a;
  return a == ORIGIN_NONE ? b : ORIGIN_SEVERAL;
}

static void extend_origin (uninit *u, origin *into, origin from) {
  origin all = join_origins (*into, from);
  u->changed |= all != *into;
  *into = all;
}

origin uninit_origin (const uninit *u, ir_proc f, ir_expr x) {
  const ir_expr_node *n = ir_expr_at (u->p, x);
  if (n->op == IR_X_REG) return n->reg.i < u->procs[f.i].num_regs ? u->regs[uninit_reg (u, f, n->reg)] : ORIGIN_NONE;
  origin all = ORIGIN_NONE;
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) all = join_origins (all, uninit_origin (u, f, n->arg[k]));
  return all;
}

// ---- memory --------------------------------------------------------------------------------------------

static bool is_static (const uninit *u, ir_expr address) { return ir_expr_at (u->p, address)->op == IR_X_ADDR; }

origin uninit_origin_of_memory (const uninit *u, ir_expr address) {
  if (!is_static (u, address)) return u->has_fresh ? ORIGIN_SEVERAL : u->stored;
  uint32_t o = ir_expr_at (u->p, address)->object.i;
  return u->is_escaped[o] ? join_origins (u->objects[o], u->stored) : u->objects[o];
}

static void propagate_store (uninit *u, ir_expr address, origin value) {
  if (!is_static (u, address)) {
    extend_origin (u, &u->stored, value);
    return;
  }
  uint32_t o = ir_expr_at (u->p, address)->object.i;
  extend_origin (u, &u->objects[o], value);
  if (u->is_escaped[o]) extend_origin (u, &u->stored, value);
}

// ---- calls ---------------------------------------------------------------------------------------------

ir_proc uninit_callee (const uninit *u, ir_expr callee) {
  const ir_expr_node *n = ir_expr_at (u->p, callee);
  if (n->op != IR_X_ADDR || n->offset || ir_object_at (u->p, n->object)->kind != IR_O_FUNCTION)
    return (ir_proc){IR_NONE};
  return ir_object_at (u->p, n->object)->proc;
}

origin uninit_origin_of_result (const uninit *u, ir_expr callee) {
  ir_proc f = uninit_callee (u, callee);
  return f.i == IR_NONE ? u->result_of_pointer : u->procs[f.i].result;
}

static void extend_parameter_origin (uninit *u, uint32_t f, uint32_t k, origin value) {
  if (k < u->p->procs.data[f].num_params) extend_origin (u, &u->regs[u->procs[f].first_reg + k], value);
}

static void propagate_call (uninit *u, ir_proc f, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (u->p, e);
  ir_proc callee = uninit_callee (u, ir_arg (u->p, e, 0));
  for (uint32_t k = 1; k < d->num_args; k++) {
    origin value = uninit_origin (u, f, ir_arg (u->p, e, k));
    if (callee.i != IR_NONE) extend_parameter_origin (u, callee.i, k - 1, value);
    for (uint32_t g = 0; callee.i == IR_NONE && g < u->p->procs.count; g++)
      if (u->procs[g].is_taken) extend_parameter_origin (u, g, k - 1, value);
  }
  if (d->dst.i != IR_NONE)
    extend_origin (u, &u->regs[uninit_reg (u, f, d->dst)], uninit_origin_of_result (u, ir_arg (u->p, e, 0)));
}

static void propagate_return (uninit *u, ir_proc f, origin value) {
  extend_origin (u, &u->procs[f.i].result, value);
  if (!u->procs[f.i].is_taken) return;
  extend_origin (u, &u->result_of_pointer, value);
  extend_origin (u, &u->thread_result, value);
}

static void propagate_thread_start (uninit *u, origin argument) {
  u->has_threads = true;
  extend_origin (u, &u->thread_argument, argument);
  for (uint32_t g = 0; g < u->p->procs.count; g++)
    if (u->procs[g].is_taken) extend_parameter_origin (u, g, 0, argument);
}

// ---- edges ---------------------------------------------------------------------------------------------

static void propagate_edge (uninit *u, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (u->p, e);
  ir_proc f = ir_loc_at (u->p, d->from)->proc;
  origin *dst = d->dst.i != IR_NONE ? &u->regs[uninit_reg (u, f, d->dst)] : NULL;
  switch (d->op) {
  case IR_ASSIGN: extend_origin (u, dst, uninit_origin (u, f, ir_arg (u->p, e, 0))); return;
  case IR_NONDET:
    if (d->aux == IR_NONDET_UNWRITTEN) extend_origin (u, dst, 1 + e.i);
    return;
  case IR_LOAD:
  case IR_LOAD_RAW:
    if (uninit_origin_of_memory (u, ir_arg (u->p, e, 0)) != ORIGIN_NONE) extend_origin (u, dst, 1 + e.i);
    return;
  case IR_STORE: propagate_store (u, ir_arg (u->p, e, 0), uninit_origin (u, f, ir_arg (u->p, e, 1))); return;
  case IR_STORE_RAW:
    if (!ir_is_const (u->p, ir_arg (u->p, e, 2)) || ir_expr_at (u->p, ir_arg (u->p, e, 2))->value)
      propagate_store (u, ir_arg (u->p, e, 0), ORIGIN_SEVERAL);
    return;
  case IR_FORGET:
    propagate_store (u, ir_arg (u->p, e, 0), is_static (u, ir_arg (u->p, e, 0)) ? 1 + e.i : ORIGIN_NONE);
    return;
  case IR_ALLOC:
    if (d->aux != IR_ALLOC_HEAP_ZEROED) u->has_fresh = true;
    return;
  case IR_CALL: propagate_call (u, f, e); return;
  case IR_RETURN:
    if (d->num_args) propagate_return (u, f, uninit_origin (u, f, ir_arg (u->p, e, 0)));
    return;
  case IR_THREAD_EXIT: extend_origin (u, &u->thread_result, uninit_origin (u, f, ir_arg (u->p, e, 0))); return;
  case IR_THREAD_CREATE: propagate_thread_start (u, uninit_origin (u, f, ir_arg (u->p, e, 2))); return;
  case IR_THREAD_JOIN:
    if (u->thread_result != ORIGIN_NONE) extend_origin (u, dst, 1 + e.i);
    return;
  case IR_NOP:
  case IR_ASSUME:
  case IR_CHECK:
  case IR_UNSUPPORTED:
  case IR_STACK_SAVE:
  case IR_STACK_RESTORE:
  case IR_OBJECT_SIZE:
  case IR_THREAD_SELF:
  case IR_FREE:
  case IR_RMW:
  case IR_CMPXCHG:
  case IR_FENCE:
  case IR_OWN:
  case IR_REGION_OPERATIONS:
  case IR_THREAD_DETACH:
  case IR_PROCESS_OPERATIONS:
  case IR_OBJECT_OPERATIONS: return;
  }
}

// ---- objects that pointers may reach -------------------------------------------------------------------

static void escape (uninit *u, ir_object o) {
  u->is_escaped[o.i] = true;
  ir_proc f = ir_object_at (u->p, o)->proc;
  if (f.i != IR_NONE) u->procs[f.i].is_taken = true;
}

static void escape_all (uninit *u, ir_expr x) {
  const ir_expr_node *n = ir_expr_at (u->p, x);
  if (n->op == IR_X_ADDR) escape (u, n->object);
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) escape_all (u, n->arg[k]);
}

// Is the first operand only the address on which the operation works, so that the address does not escape?
static bool names_its_operand (ir_op op) {
  char group = ir_op_table[op].group;
  return op == IR_CALL || op == IR_OBJECT_SIZE || group == 'M' || group == 'S';
}

static void find_escaped (uninit *u) {
  for (uint32_t e = 0; e < u->num_edges; e++) {
    const ir_edge_data *d = &u->p->edges.data[e];
    for (uint32_t k = 0; k < d->num_args; k++) {
      ir_expr x = ir_arg (u->p, (ir_edge){e}, k);
      if (k || !names_its_operand (d->op) || !is_static (u, x)) escape_all (u, x);
    }
  }
  for (uint32_t o = 0; o < u->num_objects; o++)
    for (uint32_t k = 0; k < u->p->objects.data[o].relocations.count; k++)
      escape (u, u->p->objects.data[o].relocations.data[k].target);
}

void uninit_find_origins (uninit *u) {
  find_escaped (u);
  do {
    u->changed = false;
    for (uint32_t e = 0; e < u->num_edges; e++) propagate_edge (u, (ir_edge){e});
  } while (u->changed);
}
