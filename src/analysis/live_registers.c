// The live registers of a procedure. The nodes of base/dataflow.h are its locations: an edge reads its operands and
// kills the registers that it sets.
#include "analysis/live_registers.h"

#include "base/memory.h"

typedef struct flow_builder {
  proc_liveness *v;
  const ir_program *p;
  const uint32_t *number;  // by register; NULL: itself
} flow_builder;

static uint32_t node_of_loc (const proc_liveness *v, ir_loc l) { return v->position[l.i - v->smallest]; }

static void number_locs (proc_liveness *v, const ir_proc_data *d) {
  uint32_t largest = 0;
  v->smallest = IR_NONE;
  for (uint32_t k = 0; k < d->locs.count; k++) {
    uint32_t l = d->locs.data[k].i;
    if (l < v->smallest) v->smallest = l;
    if (l > largest) largest = l;
  }
  v->span = d->locs.count ? largest - v->smallest + 1 : 0;
  v->position = mem_zalloc (sizeof *v->position * v->span);
  for (uint32_t k = 0; k < d->locs.count; k++) v->position[d->locs.data[k].i - v->smallest] = k;
}

static uint32_t number_of_reg (const flow_builder *b, ir_reg r) {
  return r.i == IR_NONE || !b->number ? r.i : b->number[r.i];
}

static void add_operand (const flow_builder *b, uint32_t node, ir_expr x) {
  const ir_expr_node *n = ir_expr_at (b->p, x);
  if (n->op == IR_X_REG && number_of_reg (b, n->reg) != IR_NONE)
    dataflow_read (&b->v->flow, node, number_of_reg (b, n->reg));
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) add_operand (b, node, n->arg[k]);
}

static void add_result (const flow_builder *b, ir_reg r) {
  if (number_of_reg (b, r) != IR_NONE) dataflow_kill (&b->v->flow, number_of_reg (b, r));
}

static void add_edge_to_flow (const flow_builder *b, const ir_edge_data *e) {
  uint32_t node = node_of_loc (b->v, e->from);
  for (uint32_t k = 0; k < e->num_args; k++) add_operand (b, node, b->p->args.data[e->first_arg + k]);
  if (e->to.i == IR_NONE) return;
  dataflow_edge (&b->v->flow, node, node_of_loc (b->v, e->to));
  add_result (b, e->dst);
  add_result (b, e->dst2);
}

void proc_liveness_find (proc_liveness *v, const ir_program *p, ir_proc f, const uint32_t *number, uint32_t count) {
  const ir_proc_data *d = ir_proc_at (p, f);
  flow_builder b = {v, p, number};
  number_locs (v, d);
  dataflow_init (&v->flow, d->locs.count, count);
  for (uint32_t k = 0; k < d->locs.count; k++) {
    const ir_loc_data *l = ir_loc_at (p, d->locs.data[k]);
    for (uint32_t e = l->first_edge; e < l->first_edge + l->num_edges; e++) add_edge_to_flow (&b, &p->edges.data[e]);
  }
  dataflow_solve (&v->flow);
}

bool proc_liveness_at (const proc_liveness *v, ir_loc l, uint32_t number) {
  return dataflow_is_live (&v->flow, node_of_loc (v, l), number);
}

void proc_liveness_release (proc_liveness *v) {
  dataflow_release (&v->flow);
  mem_free (v->position, sizeof *v->position * v->span);
}
