// A work list of nodes whose sets have grown (Kildall, "A Unified Approach to Global Program Optimization", 1973).
// A set starts with what its node reads and only grows, so each node enters the list at most once for each of its
// numbers.  Nodes mostly stand in the order in which they are reached, so the list begins with the last one.
#include "base/dataflow.h"

#include <string.h>

static uint64_t *set_of_node (const dataflow *d, uint32_t node) { return d->live + (size_t) node * d->words; }

void dataflow_init (dataflow *d, uint32_t num_nodes, uint32_t num_numbers) {
  *d = (dataflow){.num_nodes = num_nodes, .words = num_numbers / 64 + 1};
  d->live = mem_zalloc ((size_t) num_nodes * d->words * sizeof *d->live);
}

void dataflow_read (dataflow *d, uint32_t node, uint32_t number) {
  set_of_node (d, node)[number / 64] |= UINT64_C (1) << number % 64;
}

void dataflow_edge (dataflow *d, uint32_t from, uint32_t to) {
  vec_push (&d->arcs, ((dataflow_arc){.from = from, .to = to, .first_kill = d->kills.count}));
}

void dataflow_kill (dataflow *d, uint32_t number) {
  vec_push (&d->kills, number);
  vec_last (&d->arcs).num_kills++;
}

bool dataflow_is_live (const dataflow *d, uint32_t node, uint32_t number) {
  return set_of_node (d, node)[number / 64] >> number % 64 & 1;
}

const uint64_t *dataflow_live_at (const dataflow *d, uint32_t node) { return set_of_node (d, node); }

void dataflow_release (dataflow *d) {
  mem_free (d->live, (size_t) d->num_nodes * d->words * sizeof *d->live);
  vec_release (&d->arcs);
  vec_release (&d->kills);
}

// ---- solving ------------------------------------------------------------------------------------------
typedef struct dataflow_work {
  dataflow *flow;
  uint32_t *first;       // [node]: where its arcs begin in `into`; one more at the end
  uint32_t *into;        // arcs by the node that they lead to
  uint64_t *passed;      // what one arc lets through
  VEC (uint32_t) nodes;  // still to be looked at
  uint8_t *is_listed;    // [node]
} dataflow_work;

static void sort_arcs (dataflow_work *w) {
  const dataflow *d = w->flow;
  for (uint32_t k = 0; k < d->arcs.count; k++) w->first[d->arcs.data[k].to + 1]++;
  for (uint32_t n = 0; n < d->num_nodes; n++) w->first[n + 1] += w->first[n];
  for (uint32_t k = d->arcs.count; k-- > 0;) {
    uint32_t to = d->arcs.data[k].to;
    w->into[--w->first[to + 1]] = k;
  }
  // Each entry has moved down to where its node begins: shift them back by one place.
  memmove (w->first, w->first + 1, d->num_nodes * sizeof *w->first);
  w->first[d->num_nodes] = d->arcs.count;
}

static void list_node (dataflow_work *w, uint32_t node) {
  if (w->is_listed[node]) return;
  w->is_listed[node] = true;
  vec_push (&w->nodes, node);
}

static void pass_back (dataflow_work *w, const dataflow_arc *a) {
  const dataflow *d = w->flow;
  uint64_t *from = set_of_node (d, a->from), grown = 0;
  memcpy (w->passed, set_of_node (d, a->to), d->words * sizeof *w->passed);
  for (uint32_t k = 0; k < a->num_kills; k++) {
    uint32_t number = d->kills.data[a->first_kill + k];
    w->passed[number / 64] &= ~(UINT64_C (1) << number % 64);
  }
  for (uint32_t k = 0; k < d->words; k++) {
    grown |= w->passed[k] & ~from[k];
    from[k] |= w->passed[k];
  }
  if (grown) list_node (w, a->from);
}

void dataflow_solve (dataflow *d) {
  size_t firsts = ((size_t) d->num_nodes + 1) * sizeof (uint32_t), intos = d->arcs.count * sizeof (uint32_t);
  dataflow_work w = {.flow = d,
                     .first = mem_zalloc (firsts),
                     .into = mem_alloc (intos),
                     .passed = mem_alloc (d->words * sizeof *w.passed),
                     .is_listed = mem_zalloc (d->num_nodes)};
  sort_arcs (&w);
  for (uint32_t n = 0; n < d->num_nodes; n++) list_node (&w, n);
  while (w.nodes.count) {
    uint32_t node = vec_pop (&w.nodes);
    w.is_listed[node] = false;
    for (uint32_t k = w.first[node]; k < w.first[node + 1]; k++) pass_back (&w, &d->arcs.data[w.into[k]]);
  }
  mem_free (w.first, firsts);
  mem_free (w.into, intos);
  mem_free (w.passed, d->words * sizeof *w.passed);
  mem_free (w.is_listed, d->num_nodes);
  vec_release (&w.nodes);
}
