// Computes which registers of a procedure are still read after a location; per procedure, when it is first queried.
#include "base/dataflow.h"

#include "verdict/verdict_impl.h"

struct live_registers {
  const ir_program *program;
  dataflow *procs;     // by procedure; one without nodes is not computed yet
  uint32_t *position;  // by location: its index among the locations of its procedure
};

live_registers *live_new (const ir_program *p) {
  live_registers *l = mem_zalloc (sizeof *l);
  l->program = p;
  l->procs = mem_zalloc (p->procs.count * sizeof *l->procs);
  l->position = mem_zalloc (p->locs.count * sizeof *l->position);
  for (uint32_t f = 0; f < p->procs.count; f++)
    for (uint32_t k = 0; k < p->procs.data[f].locs.count; k++) l->position[p->procs.data[f].locs.data[k].i] = k;
  return l;
}

void live_free (live_registers *l) {
  const ir_program *p = l->program;
  for (uint32_t f = 0; f < p->procs.count; f++) dataflow_release (&l->procs[f]);
  mem_free (l->procs, p->procs.count * sizeof *l->procs);
  mem_free (l->position, p->locs.count * sizeof *l->position);
  mem_free (l, sizeof *l);
}

static void add_registers_read (const live_registers *l, dataflow *flow, uint32_t node, ir_expr x) {
  const ir_expr_node *n = ir_expr_at (l->program, x);
  if (n->op == IR_X_REG) dataflow_read (flow, node, n->reg.i);
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) add_registers_read (l, flow, node, n->arg[k]);
}

static void add_edge_flow (const live_registers *l, dataflow *flow, const ir_edge_data *e) {
  uint32_t node = l->position[e->from.i];
  for (uint32_t k = 0; k < e->num_args; k++)
    add_registers_read (l, flow, node, l->program->args.data[e->first_arg + k]);
  if (e->to.i == IR_NONE) return;
  dataflow_edge (flow, node, l->position[e->to.i]);
  if (e->dst.i != IR_NONE) dataflow_kill (flow, e->dst.i);
  if (e->dst2.i != IR_NONE) dataflow_kill (flow, e->dst2.i);
}

static void compute_live_registers (const live_registers *l, uint32_t number, dataflow *flow) {
  const ir_proc_data *d = &l->program->procs.data[number];
  dataflow_init (flow, d->locs.count, d->regs.count);
  for (uint32_t k = 0; k < d->locs.count; k++) {
    const ir_loc_data *at = ir_loc_at (l->program, d->locs.data[k]);
    for (uint32_t e = at->first_edge; e < at->first_edge + at->num_edges; e++)
      add_edge_flow (l, flow, &l->program->edges.data[e]);
  }
  dataflow_solve (flow);
}

bool live_at (live_registers *l, ir_loc at, ir_reg r) {
  uint32_t number = ir_loc_at (l->program, at)->proc.i;
  dataflow *flow = &l->procs[number];
  if (!flow->num_nodes) compute_live_registers (l, number, flow);
  return dataflow_is_live (flow, l->position[at.i], r.i);
}
