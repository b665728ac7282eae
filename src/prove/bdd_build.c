// Decision diagrams of the graph's literals, node by node, operands first.  A node's diagram is dropped after its last use.
#include "prove/bdd_impl.h"

enum { NODES_PER_LOOK = 64 };  // at the budget

static void count_use (dd_search *s, aig_lit x) { s->uses.data[x.i / 2]++; }

static void count_uses (dd_search *s) {
  const netlist *n = s->n;
  for (uint32_t i = 0; i < n->graph.nodes.count; i++) vec_push (&s->uses, 0);
  for (uint32_t k = 0; k < s->goals.count; k++) count_use (s, s->goals.data[k]);
  for (uint32_t k = 0; k < n->constraints.count; k++) count_use (s, n->constraints.data[k].holds);
  for (uint32_t k = 0; k < s->order.leaves.count; k++)
    if (s->order.leaves.data[k] & 1) count_use (s, n->latches.data[s->order.leaves.data[k] / 2].next);
  for (uint32_t i = n->graph.nodes.count; i-- > 1;) {
    if (!s->uses.data[i] || aig_is_input (&n->graph, i)) continue;
    count_use (s, n->graph.nodes.data[i].left);
    count_use (s, n->graph.nodes.data[i].right);
  }
}

// Held by nobody if it is complemented.
static BDD literal (const dd_search *s, aig_lit x) {
  BDD of_node = s->nodes.data[x.i / 2];
  return x.i & 1 ? bdd_not (of_node) : of_node;
}

static void use (dd_search *s, aig_lit x) {
  if (--s->uses.data[x.i / 2] == 0) dd_set (&s->nodes.data[x.i / 2], bddfalse);
}

static BDD leaf (const dd_search *s, uint32_t node) {
  uint64_t what = *map_find (&s->n->of_node, node);
  return bdd_ithvar (what & 1 ? s->order.latch.data[what / 2] : s->order.input.data[what / 2]);
}

static BDD and_node (dd_search *s, aig_node n) {
  BDD left = bdd_addref (literal (s, n.left)), right = bdd_addref (literal (s, n.right));
  BDD both = bdd_and (left, right);
  bdd_delref (left);
  bdd_delref (right);
  return both;
}

static void build_nodes (dd_search *s) {
  const aig *g = &s->n->graph;
  dd_push (&s->nodes, bddfalse);
  for (uint32_t i = 1; i < g->nodes.count; i++) {
    bool is_leaf = aig_is_input (g, i);
    dd_push (&s->nodes, !s->uses.data[i] ? bddfalse : is_leaf ? leaf (s, i) : and_node (s, g->nodes.data[i]));
    if (s->uses.data[i] && !is_leaf) {
      use (s, g->nodes.data[i].left);
      use (s, g->nodes.data[i].right);
    }
    if (i % NODES_PER_LOOK == 0) dd_stop_if_spent ();
  }
}

static void take (dd_search *s, dd_list *list, aig_lit x) {
  dd_push (list, literal (s, x));
  use (s, x);
}

static void take_goal (dd_search *s, aig_lit x) {
  take (s, &s->goals_now, x);
  BDD *goal = &vec_last (&s->goals_now);
  for (uint32_t k = 0; k < s->constraints.count; k++) dd_set (goal, bdd_and (*goal, s->constraints.data[k]));
}

void dd_build (dd_search *s) {
  const netlist *n = s->n;
  count_uses (s);
  build_nodes (s);
  for (uint32_t k = 0; k < s->order.leaves.count; k++) {
    uint32_t what = s->order.leaves.data[k];
    if (what & 1) take (s, &s->nexts, n->latches.data[what / 2].next);
    else dd_push (&s->nexts, bddfalse);
  }
  for (uint32_t k = 0; k < n->constraints.count; k++) take (s, &s->constraints, n->constraints.data[k].holds);
  for (uint32_t k = 0; k < s->goals.count; k++) take_goal (s, s->goals.data[k]);
}
