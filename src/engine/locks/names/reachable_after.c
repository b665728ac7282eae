// Reachability through calls and returns, without contexts: a function that is called both before and after the edges
// counts as reachable after them.
#include "engine/locks/names/names.h"

typedef struct reach_search {
  const ir_program *program;
  const pointsto *targets;
  bool *reached;  // [location]
  VEC (ir_loc) waiting;
  bool *returns_reached;    // [procedure]: one of its returns is reached
  VEC (uint32_t) *callers;  // [procedure]: call edges
} reach_search;

static void reach_location (reach_search *w, ir_loc l) {
  if (l.i == IR_NONE || w->reached[l.i]) return;
  w->reached[l.i] = true;
  vec_push (&w->waiting, l);
}

static void reach_callees (reach_search *w, ir_edge e) {
  const ir_program *p = w->program;
  pointsto_set callees = pointsto_arg (w->targets, e, 0);
  for (uint32_t k = 0; k < callees.count; k++) {
    if (callees.objects[k] >= p->objects.count) continue;
    ir_proc f = p->objects.data[callees.objects[k]].proc;
    if (f.i != IR_NONE) reach_location (w, ir_proc_at (p, f)->entry);
  }
}

static void reach_callers (reach_search *w, ir_proc f) {
  if (w->returns_reached[f.i]) return;
  w->returns_reached[f.i] = true;
  for (uint32_t k = 0; k < w->callers[f.i].count; k++)
    reach_location (w, w->program->edges.data[w->callers[f.i].data[k]].to);
}

static void continue_from (reach_search *w, ir_loc l) {
  const ir_program *p = w->program;
  const ir_loc_data *d = ir_loc_at (p, l);
  for (uint32_t e = d->first_edge; e < d->first_edge + d->num_edges; e++) {
    const ir_edge_data *x = &p->edges.data[e];
    if (x->op == IR_CALL) reach_callees (w, (ir_edge){e});
    if (x->op == IR_RETURN) reach_callers (w, d->proc);
    reach_location (w, x->to);
  }
}

static void find_callers (reach_search *w) {
  const ir_program *p = w->program;
  for (uint32_t e = 0; e < p->edges.count; e++) {
    if (p->edges.data[e].op != IR_CALL) continue;
    pointsto_set callees = pointsto_arg (w->targets, (ir_edge){e}, 0);
    for (uint32_t k = 0; k < callees.count; k++) {
      ir_proc f = callees.objects[k] < p->objects.count ? p->objects.data[callees.objects[k]].proc : (ir_proc){IR_NONE};
      if (f.i != IR_NONE) vec_push (&w->callers[f.i], e);
    }
  }
}

static void start_behind (reach_search *w, ir_edge e) {
  const ir_program *p = w->program;
  reach_location (w, ir_edge_at (p, e)->to);
  if (ir_edge_at (p, e)->op != IR_THREAD_CREATE) return;
  pointsto_set entries = pointsto_arg (w->targets, e, 1);
  for (uint32_t k = 0; k < entries.count; k++) {
    ir_proc f = entries.objects[k] < p->objects.count ? p->objects.data[entries.objects[k]].proc : (ir_proc){IR_NONE};
    if (f.i != IR_NONE) reach_location (w, ir_proc_at (p, f)->entry);
  }
}

static bool may_start_anything (const reach_search *w) {
  for (uint32_t e = 0; e < w->program->edges.count; e++) {
    ir_op op = w->program->edges.data[e].op;
    if ((op == IR_THREAD_CREATE && pointsto_arg (w->targets, (ir_edge){e}, 1).anything) ||
        (op == IR_CALL && pointsto_arg (w->targets, (ir_edge){e}, 0).anything))
      return true;
  }
  return false;
}

bool *reachable_after (const ir_program *p, const pointsto *targets, const edge_list *edges) {
  reach_search w = {.program = p,
                    .targets = targets,
                    .reached = mem_zalloc (reachable_bytes (p)),
                    .returns_reached = mem_zalloc (p->procs.count + 1),
                    .callers = mem_zalloc (sizeof *w.callers * (p->procs.count + 1))};
  find_callers (&w);
  for (uint32_t k = 0; k < edges->count; k++) start_behind (&w, edges->data[k]);
  if (may_start_anything (&w))
    for (uint32_t l = 0; l < p->locs.count; l++) reach_location (&w, (ir_loc){l});
  while (w.waiting.count) continue_from (&w, vec_pop (&w.waiting));
  for (uint32_t f = 0; f < p->procs.count; f++) vec_release (&w.callers[f]);
  mem_free (w.callers, sizeof *w.callers * (p->procs.count + 1));
  mem_free (w.returns_reached, p->procs.count + 1);
  vec_release (&w.waiting);
  return w.reached;
}
