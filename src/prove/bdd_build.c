// Builds the decision diagrams of the graph's literals, node by node, operands first. A node's diagram is released
// after its last use.
#include "prove/bdd_impl.h"

enum { NODES_PER_LOOK = 64 };  // steps between two checks of the budget

static void count_literal_use (dd_search *s, aig_lit x) { s->uses.data[x.i / 2]++; }

static void count_node_uses (dd_search *s) {
  const netlist *n = s->n;
  for (uint32_t i = 0; i < n->graph.nodes.count; i++) vec_push (&s->uses, 0);
  for (uint32_t k = 0; k < s->goals.count; k++) count_literal_use (s, s->goals.data[k]);
  for (uint32_t k = 0; k < n->constraints.count; k++) count_literal_use (s, n->constraints.data[k].holds);
  for (uint32_t k = 0; k < s->order.leaves.count; k++)
    if (s->order.leaves.data[k] & 1) count_literal_use (s, n->latches.data[s->order.leaves.data[k] / 2].next);
  for (uint32_t i = n->graph.nodes.count; i-- > 1;) {
    if (!s->uses.data[i] || aig_is_input (&n->graph, i)) continue;
    count_literal_use (s, n->graph.nodes.data[i].left);
    count_literal_use (s, n->graph.nodes.data[i].right);
  }
}

// The caller owns no reference to the result if the literal is complemented.
static BDD literal_function (const dd_search *s, aig_lit x) {
  BDD of_node = s->nodes.data[x.i / 2];
  return x.i & 1 ? bdd_not (of_node) : of_node;
}

static void use_node_function (dd_search *s, aig_lit x) {
  if (--s->uses.data[x.i / 2] == 0) dd_set (&s->nodes.data[x.i / 2], bddfalse);
}

static BDD leaf (const dd_search *s, uint32_t node) {
  uint64_t what = *map_find (&s->n->of_node, node);
  return bdd_ithvar (what & 1 ? s->order.latch.data[what / 2] : s->order.input.data[what / 2]);
}

static BDD and_node (dd_search *s, aig_node n) {
  BDD left = bdd_addref (literal_function (s, n.left)), right = bdd_addref (literal_function (s, n.right));
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
      use_node_function (s, g->nodes.data[i].left);
      use_node_function (s, g->nodes.data[i].right);
    }
    if (i % NODES_PER_LOOK == 0) dd_stop_if_spent ();
  }
}

static void push_literal_function (dd_search *s, dd_list *list, aig_lit x) {
  dd_push (list, literal_function (s, x));
  use_node_function (s, x);
}

static void take_goal (dd_search *s, aig_lit x) {
  push_literal_function (s, &s->goals_now, x);
  BDD *goal = &vec_last (&s->goals_now);
  for (uint32_t k = 0; k < s->constraints.count; k++) dd_set (goal, bdd_and (*goal, s->constraints.data[k]));
}

void dd_build (dd_search *s) {
  const netlist *n = s->n;
  count_node_uses (s);
  build_nodes (s);
  for (uint32_t k = 0; k < s->order.leaves.count; k++) {
    uint32_t what = s->order.leaves.data[k];
    if (what & 1) push_literal_function (s, &s->nexts, n->latches.data[what / 2].next);
    else dd_push (&s->nexts, bddfalse);
  }
  for (uint32_t k = 0; k < n->constraints.count; k++)
    push_literal_function (s, &s->constraints, n->constraints.data[k].holds);
  for (uint32_t k = 0; k < s->goals.count; k++) take_goal (s, s->goals.data[k]);
}
