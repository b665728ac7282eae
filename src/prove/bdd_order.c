// The initial order of variables: latches and inputs in the order in which a traversal from the goals down the graph
// finds them, then from the constraints, then from the next values of the latches that were found. So variables that
// depend on each other are neighbours. A latch has two variables, now and next, side by side; they are moved as one
// when BuDDy improves the order (Rudell, "Dynamic variable ordering for ordered binary decision diagrams", 1993).
#include "prove/bdd_impl.h"

typedef struct graph_traversal {
  const netlist *n;
  dd_order *order;
  VEC (uint8_t) seen;    // by node
  VEC (uint32_t) stack;  // nodes
} graph_traversal;

static void add_leaf_to_order (graph_traversal *w, uint32_t node) {
  uint64_t what = *map_find (&w->n->of_node, node);
  bool latch = what & 1;
  int *variable = latch ? &w->order->latch.data[what / 2] : &w->order->input.data[what / 2];
  *variable = w->order->count;
  w->order->count += latch ? 2 : 1;
  vec_push (&w->order->leaves, (uint32_t) what);
}

static void visit_cone (graph_traversal *w, aig_lit x) {
  const aig *g = &w->n->graph;
  vec_push (&w->stack, x.i / 2);
  while (w->stack.count) {
    uint32_t node = vec_pop (&w->stack);
    if (!node || w->seen.data[node]) continue;
    w->seen.data[node] = true;
    if (aig_is_input (g, node)) add_leaf_to_order (w, node);
    else {
      vec_push (&w->stack, g->nodes.data[node].right.i / 2);
      vec_push (&w->stack, g->nodes.data[node].left.i / 2);
    }
  }
}

void dd_find_order (dd_search *s, bool all_latches) {
  const netlist *n = s->n;
  dd_order *o = &s->order;
  graph_traversal w = {.n = n, .order = o};
  for (uint32_t k = 0; k < n->latches.count; k++) vec_push (&o->latch, -1);
  for (uint32_t k = 0; k < n->inputs.count; k++) vec_push (&o->input, -1);
  for (uint32_t i = 0; i < n->graph.nodes.count; i++) vec_push (&w.seen, false);
  for (uint32_t k = 0; k < s->goals.count; k++) visit_cone (&w, s->goals.data[k]);
  for (uint32_t k = 0; k < n->constraints.count; k++) visit_cone (&w, n->constraints.data[k].holds);
  for (uint32_t k = 0; all_latches && k < n->latches.count; k++) visit_cone (&w, n->latches.data[k].now);
  for (uint32_t k = 0; k < o->leaves.count; k++)
    if (o->leaves.data[k] & 1) visit_cone (&w, n->latches.data[o->leaves.data[k] / 2].next);
  vec_release (&w.seen);
  vec_release (&w.stack);
}

void dd_order_release (dd_order *o) {
  vec_release (&o->leaves);
  vec_release (&o->latch);
  vec_release (&o->input);
}
