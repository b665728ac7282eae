// ir_simplify: fewer edges, same behaviour.
//
// The front end translates one instruction at a time, so a program has a register and an assign for every intermediate
// value.  ir_simplify substitutes these values into the operations that use them, and removes dead assigns, nops and
// unreachable locations.  It changes local operations only: every load, store, check, call and synchronisation
// operation stays, in the same order.  So no race or deadlock is gained or lost, as the passes of a compiler might do.
//
// Dead assigns may contain operations that --property=overflow checks, so ir_add_overflow_checks must run first.
#include "ir/simplify_impl.h"

enum { NUM_ROUNDS = 3 };  // a folded branch can make another value constant, and so on; longer chains are rare

// ---- dead assigns ----------------------------------------------------------------------------------------------

typedef struct live_register_search {
  const ir_program *p;
  bool *live;           // per register
  VEC (uint32_t) todo;  // live registers whose definitions have not been visited yet
} live_register_search;

static void mark_live (live_register_search *v, ir_expr x) {
  const ir_expr_node *n = ir_expr_at (v->p, x);
  if (n->op == IR_X_REG && !v->live[n->reg.i]) {
    v->live[n->reg.i] = true;
    vec_push (&v->todo, n->reg.i);
  }
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) mark_live (v, n->arg[k]);
}

static bool is_droppable (const ir_edge_data *e) { return e->op == IR_ASSIGN || (e->op == IR_NONDET && !e->num_args); }

static void mark_edge (live_register_search *v, const ir_edge_data *e) {
  for (uint32_t k = 0; k < e->num_args; k++) mark_live (v, v->p->args.data[e->first_arg + k]);
  for (uint32_t k = 0; k < e->num_name_args; k++) mark_live (v, v->p->args.data[e->first_name_arg + k]);
}

// The assigns of each register as a linked list: next[i] is the assign before edges[i] with the same result.
typedef struct assign_lists {
  VEC (uint32_t) edges;
  VEC (uint32_t) next;
  uint32_t *newest;
} assign_lists;

static void add_assign (assign_lists *a, uint32_t reg, uint32_t edge) {
  vec_push (&a->edges, edge);
  vec_push (&a->next, a->newest[reg]);
  a->newest[reg] = a->edges.count - 1;
}

// Finds the live registers: a register is live if an edge other than an assign reads it, or an assign to a live
// register.
static void mark_live_registers (const ir_program *p, const ir_proc_data *d, live_register_search *v) {
  size_t bytes = d->regs.count * sizeof (uint32_t);
  assign_lists assigns = {.newest = mem_alloc (bytes)};
  for (uint32_t r = 0; r < d->regs.count; r++) assigns.newest[r] = IR_NONE;
  for (uint32_t i = 0; i < d->locs.count; i++) {
    const ir_loc_data *l = ir_loc_at (p, d->locs.data[i]);
    for (uint32_t e = l->first_edge; e < l->first_edge + l->num_edges; e++) {
      if (!is_droppable (&p->edges.data[e])) mark_edge (v, &p->edges.data[e]);
      else add_assign (&assigns, p->edges.data[e].dst.i, e);
    }
  }
  while (v->todo.count)
    for (uint32_t i = assigns.newest[vec_pop (&v->todo)]; i != IR_NONE; i = assigns.next.data[i])
      mark_edge (v, &p->edges.data[assigns.edges.data[i]]);
  vec_release (&assigns.edges);
  vec_release (&assigns.next);
  mem_free (assigns.newest, bytes);
}

static bool assigns_itself (const ir_program *p, const ir_edge_data *e) {
  if (e->op != IR_ASSIGN) return false;
  const ir_expr_node *n = ir_expr_at (p, p->args.data[e->first_arg]);
  return n->op == IR_X_REG && n->reg.i == e->dst.i;
}

bool simplify_dead (ir_program *p, ir_proc f) {
  const ir_proc_data *d = ir_proc_at (p, f);
  bool any = false;
  live_register_search v = {.p = p, .live = mem_zalloc (d->regs.count * sizeof (bool))};
  mark_live_registers (p, d, &v);
  for (uint32_t i = 0; i < d->locs.count; i++) {
    const ir_loc_data *l = ir_loc_at (p, d->locs.data[i]);
    for (uint32_t k = l->first_edge; k < l->first_edge + l->num_edges; k++) {
      ir_edge_data *e = &p->edges.data[k];
      if (!is_droppable (e) || (v.live[e->dst.i] && !assigns_itself (p, e))) continue;
      simplify_to_nop (e);
      any = true;
    }
  }
  vec_release (&v.todo);
  mem_free (v.live, d->regs.count * sizeof (bool));
  return any;
}

// ---- all ---------------------------------------------------------------------------------------------------------

static bool simplify_round (ir_program *p) {
  bool changed = false;
  ir_flow flow;
  ir_flow_init (&flow, p);
  for (uint32_t f = 0; f < p->procs.count; f++) {
    if (p->procs.data[f].entry.i == IR_NONE) continue;
    changed |= simplify_uses (p, &flow, (ir_proc){f});
    changed |= simplify_dead (p, (ir_proc){f});
  }
  ir_flow_release (&flow);
  simplify_shape (p);
  return changed;
}

void ir_simplify (ir_program *p) {
  ir_finish (p);
  simplify_shape (p);
  for (unsigned round = 0; round < NUM_ROUNDS && simplify_round (p); round++) {}
  for (uint32_t f = 0; f < p->procs.count; f++) simplify_registers (p, (ir_proc){f});
}
