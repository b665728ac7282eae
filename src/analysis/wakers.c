// A fixpoint over the program that ignores addresses and data: a signal of any condition variable counts for all of
// them, and an indirect call may be to any function. So "cannot wake" is certain, "may wake" is not.
#include "analysis/wakers.h"

typedef struct wakers {
  const ir_program *program;
  uint8_t *at_loc;
  uint8_t *of_proc;
} wakers;

static uint8_t any_procedure_wakes (const wakers *w) {
  uint8_t all = 0;
  for (uint32_t f = 0; f < w->program->procs.count; f++) all |= w->of_proc[f];
  return all;
}

static uint8_t callee_wakes (const wakers *w, ir_expr callee) {
  const ir_expr_node *n = ir_expr_at (w->program, callee);
  if (n->op != IR_X_ADDR) return any_procedure_wakes (w);
  const ir_object_data *o = ir_object_at (w->program, n->object);
  return o->kind == IR_O_FUNCTION && o->proc.i != IR_NONE ? w->of_proc[o->proc.i] : 0;
}

// Returns whether this is the exit after main's return. A program that calls exit ends all waiting threads on purpose;
// if main just returns, they are lost.
static bool is_exit_of_main (const wakers *w, ir_edge e) {
  return ir_loc_at (w->program, ir_edge_at (w->program, e)->from)->proc.i == w->program->start.i;
}

// Returns whether the edge is a check that always fails: locations after it are never reached.
static bool check_always_fails (const wakers *w, ir_edge e) {
  if (ir_edge_at (w->program, e)->op != IR_CHECK) return false;
  const ir_expr_node *n = ir_expr_at (w->program, ir_arg (w->program, e, 0));
  return n->op == IR_X_CONST && !n->value;
}

static uint8_t edge_wakes (const wakers *w, ir_edge e) {
  switch (ir_edge_at (w->program, e)->op) {
  case IR_UNSUPPORTED: return WAKES_ALL;
  case IR_EXIT: return is_exit_of_main (w, e) ? 0 : WAKES_ALL;
  case IR_CALL: return callee_wakes (w, ir_arg (w->program, e, 0));
  case IR_THREAD_CREATE: return callee_wakes (w, ir_arg (w->program, e, 1));
  case IR_NOP:
  case IR_ASSUME:
  case IR_ASSIGN:
  case IR_NONDET:
  case IR_CHECK:
  case IR_RETURN:
  case IR_STACK_SAVE:
  case IR_STACK_RESTORE:
  case IR_ALLOC:
  case IR_OBJECT_SIZE:
  case IR_THREAD_SELF:
  case IR_MEMORY_OPERATIONS:
  case IR_REGION_OPERATIONS:
  case IR_THREAD_JOIN:
  case IR_THREAD_DETACH:
  case IR_THREAD_EXIT:
  case IR_OUTPUT:
  case IR_OBJECT_OPERATIONS: break;
  }
  return ir_sync_of (ir_edge_at (w->program, e)->op)->ends;
}

// Makes one backward pass over the locations of a procedure; returns whether something was added.
static bool propagate_wakers (wakers *w, uint32_t proc) {
  const ir_proc_data *p = &w->program->procs.data[proc];
  bool changed = false;
  for (uint32_t k = p->locs.count; k-- > 0;) {
    uint32_t l = p->locs.data[k].i;
    const ir_loc_data *loc = &w->program->locs.data[l];
    uint8_t now = w->at_loc[l];
    for (uint32_t e = loc->first_edge; e < loc->first_edge + loc->num_edges; e++) {
      ir_loc to = check_always_fails (w, (ir_edge){e}) ? (ir_loc){IR_NONE} : w->program->edges.data[e].to;
      now |= edge_wakes (w, (ir_edge){e}) | (to.i == IR_NONE ? 0 : w->at_loc[to.i]);
    }
    changed |= now != w->at_loc[l];
    w->at_loc[l] = now;
  }
  uint8_t whole = p->entry.i == IR_NONE ? 0 : w->at_loc[p->entry.i];
  changed |= whole != w->of_proc[proc];
  w->of_proc[proc] = whole;
  return changed;
}

uint8_t *wakers_new (const ir_program *p) {
  wakers w = {.program = p, .at_loc = mem_zalloc (p->locs.count), .of_proc = mem_zalloc (p->procs.count)};
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t f = 0; f < p->procs.count; f++) changed |= propagate_wakers (&w, f);
  }
  mem_free (w.of_proc, p->procs.count);
  return w.at_loc;
}

void wakers_free (uint8_t *at_loc, const ir_program *p) { mem_free (at_loc, p->locs.count); }
