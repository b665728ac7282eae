// The call graph, and the procedures that may create, join or detach threads. Only these are walked in detail; in all
// others the set of living threads is that of the caller.
#include "analysis/threads_impl.h"

// ---- calls --------------------------------------------------------------------------------------------

static uint32_t proc_of_object (const ir_program *p, uint32_t object) {
  if (object >= p->objects.count || p->objects.data[object].kind != IR_O_FUNCTION) return IR_NONE;
  return p->objects.data[object].proc.i;
}

id_list call_graph_targets (const thread_call_graph *g, ir_edge e, unsigned k) {
  const ir_program *p = g->program;
  id_list found = {0};
  const ir_expr_node *n = ir_expr_at (p, ir_arg (p, e, k));
  pointsto_set s = pointsto_arg (g->pointsto, e, k);
  if (n->op == IR_X_ADDR) s = (pointsto_set){.count = 1, .objects = &n->object.i};
  for (uint32_t i = 0; i < s.count; i++) {
    uint32_t proc = proc_of_object (p, s.objects[i]);
    if (proc != IR_NONE) vec_push (&found, proc);
  }
  for (uint32_t f = 0; s.anything && f < p->procs.count; f++) vec_push (&found, f);
  return found;
}

static void add_callees (thread_call_graph *g, uint32_t caller, ir_edge call, uint32_t *last_caller) {
  id_list targets = call_graph_targets (g, call, 0);
  for (uint32_t k = 0; k < targets.count; k++) {
    if (last_caller[targets.data[k]] == caller + 1) continue;
    last_caller[targets.data[k]] = caller + 1;
    vec_push (&g->callees[caller], targets.data[k]);
  }
  vec_release (&targets);
}

static void find_callees (thread_call_graph *g) {
  const ir_program *p = g->program;
  // [proc]: the caller that has listed it last, + 1
  uint32_t *last_caller = mem_zalloc (sizeof *last_caller * p->procs.count);
  for (uint32_t f = 0; f < p->procs.count; f++)
    for (uint32_t k = 0; k < p->procs.data[f].locs.count; k++) {
      const ir_loc_data *l = ir_loc_at (p, p->procs.data[f].locs.data[k]);
      for (uint32_t e = l->first_edge; e < l->first_edge + l->num_edges; e++)
        if (p->edges.data[e].op == IR_CALL) add_callees (g, f, (ir_edge){e}, last_caller);
    }
  mem_free (last_caller, sizeof *last_caller * p->procs.count);
}

uint8_t *call_graph_reach (const thread_call_graph *g, ir_proc from) {
  uint8_t *reached = mem_zalloc (g->program->procs.count);
  id_list open = {0};
  reached[from.i] = 1;
  vec_push (&open, from.i);
  while (open.count) {
    const id_list *callees = &g->callees[vec_pop (&open)];
    for (uint32_t k = 0; k < callees->count; k++) {
      if (reached[callees->data[k]]) continue;
      reached[callees->data[k]] = 1;
      vec_push (&open, callees->data[k]);
    }
  }
  vec_release (&open);
  return reached;
}

// ---- procedures that matter ---------------------------------------------------------------------------

bool threads_op_matters (ir_op op) { return op == IR_THREAD_CREATE || op == IR_THREAD_JOIN || op == IR_THREAD_DETACH; }

// Marks all procedures that may call a marked one.
static void mark_callers (const thread_call_graph *g, bool *marked) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t f = g->program->procs.count; f-- > 0;)
      for (uint32_t k = 0; k < g->callees[f].count && !marked[f]; k++)
        if (marked[g->callees[f].data[k]]) marked[f] = changed = true;
  }
}

static void mark_procs (thread_call_graph *g) {
  const ir_program *p = g->program;
  for (uint32_t e = 0; e < p->edges.count; e++) {
    uint32_t proc = ir_loc_at (p, p->edges.data[e].from)->proc.i;
    g->matters[proc] |= threads_op_matters (p->edges.data[e].op);
    g->exits[proc] |= p->edges.data[e].op == IR_THREAD_EXIT;
  }
  mark_callers (g, g->matters);
  mark_callers (g, g->exits);
}

static bool edge_matters (const thread_call_graph *g, ir_edge e) {
  ir_op op = ir_edge_at (g->program, e)->op;
  if (op != IR_CALL) return threads_op_matters (op);
  id_list targets = call_graph_targets (g, e, 0);
  bool matters = false;
  for (uint32_t k = 0; k < targets.count; k++) matters |= g->matters[targets.data[k]];
  vec_release (&targets);
  return matters;
}

static void add_operations (const ir_program *p, const ir_proc_data *f, id_list *found) {
  for (uint32_t k = 0; k < f->locs.count; k++) {
    const ir_loc_data *l = ir_loc_at (p, f->locs.data[k]);
    for (uint32_t e = l->first_edge; e < l->first_edge + l->num_edges; e++)
      if (threads_op_matters (p->edges.data[e].op) || p->edges.data[e].op == IR_THREAD_EXIT) vec_push (found, e);
  }
}

const id_list *call_graph_operations (thread_call_graph *g, ir_proc from) {
  const ir_program *p = g->program;
  id_list *found = &g->operations[from.i];
  if (found->capacity) return found;
  vec_reserve (found, 1);
  uint8_t *reached = call_graph_reach (g, from);
  for (uint32_t f = 0; f < p->procs.count; f++)
    if (reached[f]) add_operations (p, &p->procs.data[f], found);
  mem_free (reached, p->procs.count);
  return found;
}

void call_graph_init (thread_call_graph *g, const ir_program *p, const pointsto *facts) {
  *g = (thread_call_graph){.program = p, .pointsto = facts};
  g->callees = mem_zalloc (sizeof *g->callees * p->procs.count);
  g->matters = mem_zalloc (sizeof *g->matters * p->procs.count);
  g->exits = mem_zalloc (sizeof *g->exits * p->procs.count);
  g->operations = mem_zalloc (sizeof *g->operations * p->procs.count);
  g->edge_matters = mem_zalloc (sizeof *g->edge_matters * p->edges.count);
  find_callees (g);
  mark_procs (g);
  for (uint32_t e = 0; e < p->edges.count; e++) g->edge_matters[e] = edge_matters (g, (ir_edge){e});
}

void call_graph_release (thread_call_graph *g) {
  uint32_t count = g->program->procs.count;
  for (uint32_t f = 0; f < count; f++) {
    vec_release (&g->callees[f]);
    vec_release (&g->operations[f]);
  }
  mem_free (g->callees, sizeof *g->callees * count);
  mem_free (g->matters, sizeof *g->matters * count);
  mem_free (g->exits, sizeof *g->exits * count);
  mem_free (g->operations, sizeof *g->operations * count);
  mem_free (g->edge_matters, sizeof *g->edge_matters * g->program->edges.count);
}
