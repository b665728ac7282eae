// Two graphs, each decomposed into strongly connected components: the call graph of procedures, and the graph of
// locations and edges.
#include "analysis/calls.h"

#include "base/map.h"
#include "base/scc.h"

typedef struct callee_range {
  uint32_t first, count;
  bool anything;
} callee_range;

struct calls {
  const ir_program *program;
  const pointsto *pointsto;
  map ranges;                // edge -> index into lists
  VEC (callee_range) lists;  // in procs
  VEC (ir_proc) procs;
  bool *starts_thread, *recursive;  // [proc]
  uint32_t *rank;                   // [proc]
  ir_proc *order;                   // [0..procs.count[, by rank
  uint32_t *cycle;                  // [loc]: number of its strongly connected component
};

// ---- procedures that an edge may start ----------------------------------------------------------------

static void add_called_function (calls *c, uint32_t object) {
  const ir_program *p = c->program;
  if (object >= p->objects.count) return;
  const ir_object_data *o = &p->objects.data[object];
  if (o->kind == IR_O_FUNCTION && o->proc.i != IR_NONE) vec_push (&c->procs, o->proc);
}

static void add_callees_of_set (calls *c, pointsto_set s) {
  for (uint32_t k = 0; k < s.count; k++) add_called_function (c, s.objects[k]);
  for (uint32_t f = 0; s.anything && f < c->program->procs.count; f++) vec_push (&c->procs, (ir_proc){f});
}

static void list_calls (calls *c) {
  const ir_program *p = c->program;
  for (uint32_t e = 0; e < p->edges.count; e++) {
    ir_op op = p->edges.data[e].op;
    if (op != IR_CALL && op != IR_THREAD_CREATE) continue;
    pointsto_set set = pointsto_arg (c->pointsto, (ir_edge){e}, op == IR_THREAD_CREATE);
    callee_range r = {.first = c->procs.count, .anything = set.anything};
    add_callees_of_set (c, set);
    r.count = c->procs.count - r.first;
    map_insert (&c->ranges, e, c->lists.count, NULL);
    vec_push (&c->lists, r);
    for (uint32_t k = r.first; op == IR_THREAD_CREATE && k < c->procs.count; k++)
      c->starts_thread[c->procs.data[k].i] = true;
  }
}

// ---- strongly connected components --------------------------------------------------------------------

typedef struct scc_graph {
  VEC (uint32_t) first, targets;
} scc_graph;

static void scc_graph_release (scc_graph *g) {
  vec_release (&g->first);
  vec_release (&g->targets);
}

static void rank_procs (calls *c) {
  const ir_program *p = c->program;
  scc_graph g = {0};
  for (uint32_t f = 0; f < p->procs.count; f++) {
    vec_push (&g.first, g.targets.count);
    const ir_proc_data *d = &p->procs.data[f];
    for (uint32_t l = 0; l < d->locs.count; l++) {
      const ir_loc_data *loc = ir_loc_at (p, d->locs.data[l]);
      for (uint32_t e = loc->first_edge; e < loc->first_edge + loc->num_edges; e++) {
        if (p->edges.data[e].op != IR_CALL) continue;
        calls_list list = calls_of (c, (ir_edge){e});
        for (uint32_t k = 0; k < list.count; k++) vec_push (&g.targets, list.procs[k].i);
      }
    }
  }
  vec_push (&g.first, g.targets.count);
  scc_find (p->procs.count, g.first.data, g.targets.data, c->rank);
  for (uint32_t f = 0; f < p->procs.count; f++)
    for (uint32_t k = g.first.data[f]; k < g.first.data[f + 1]; k++)
      if (c->rank[g.targets.data[k]] == c->rank[f]) c->recursive[f] = true;
  scc_graph_release (&g);
}

// Sorts procedures by rank. A counting sort is enough, because ranks are below the number of procedures.
static void order_procs (calls *c) {
  uint32_t count = c->program->procs.count;
  uint32_t *next = mem_zalloc (sizeof (uint32_t) * (count + 1));
  for (uint32_t f = 0; f < count; f++) next[c->rank[f] + 1]++;
  for (uint32_t r = 0; r < count; r++) next[r + 1] += next[r];
  for (uint32_t f = 0; f < count; f++) c->order[next[c->rank[f]]++] = (ir_proc){f};
  mem_free (next, sizeof (uint32_t) * (count + 1));
}

static void find_location_cycles (calls *c) {
  const ir_program *p = c->program;
  scc_graph g = {0};
  for (uint32_t l = 0; l < p->locs.count; l++) {
    const ir_loc_data *loc = &p->locs.data[l];
    vec_push (&g.first, g.targets.count);
    for (uint32_t e = loc->first_edge; e < loc->first_edge + loc->num_edges; e++)
      if (p->edges.data[e].to.i != IR_NONE) vec_push (&g.targets, p->edges.data[e].to.i);
  }
  vec_push (&g.first, g.targets.count);
  scc_find (p->locs.count, g.first.data, g.targets.data, c->cycle);
  scc_graph_release (&g);
}

// ---- answers ------------------------------------------------------------------------------------------

calls *calls_new (const ir_program *p, const pointsto *facts) {
  calls *c = mem_zalloc (sizeof *c);
  c->program = p;
  c->pointsto = facts;
  c->starts_thread = mem_zalloc (sizeof (bool) * p->procs.count);
  c->recursive = mem_zalloc (sizeof (bool) * p->procs.count);
  c->rank = mem_zalloc (sizeof (uint32_t) * p->procs.count);
  c->order = mem_zalloc (sizeof (ir_proc) * p->procs.count);
  c->cycle = mem_zalloc (sizeof (uint32_t) * p->locs.count);
  list_calls (c);
  rank_procs (c);
  order_procs (c);
  find_location_cycles (c);
  return c;
}

void calls_free (calls *c) {
  const ir_program *p = c->program;
  mem_free (c->starts_thread, sizeof (bool) * p->procs.count);
  mem_free (c->recursive, sizeof (bool) * p->procs.count);
  mem_free (c->rank, sizeof (uint32_t) * p->procs.count);
  mem_free (c->order, sizeof (ir_proc) * p->procs.count);
  mem_free (c->cycle, sizeof (uint32_t) * p->locs.count);
  map_release (&c->ranges);
  vec_release (&c->lists);
  vec_release (&c->procs);
  mem_free (c, sizeof *c);
}

calls_list calls_of (const calls *c, ir_edge e) {
  const uint64_t *found = map_find (&c->ranges, e.i);
  if (!found) return (calls_list){0};
  callee_range r = c->lists.data[*found];
  return (calls_list){r.anything, r.count, c->procs.data + r.first};
}

bool calls_starts_thread (const calls *c, ir_proc f) { return c->starts_thread[f.i]; }
uint32_t calls_rank (const calls *c, ir_proc f) { return c->rank[f.i]; }
const ir_proc *calls_order (const calls *c) { return c->order; }
bool calls_recursive (const calls *c, ir_proc f) { return c->recursive[f.i]; }

bool calls_repeats (const calls *c, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (c->program, e);
  return d->to.i != IR_NONE && c->cycle[d->from.i] == c->cycle[d->to.i];
}
