// Copies the cone of influence: from the goals backwards through ands to inputs and latches, and on through the next
// values of these latches.
#include "netlist/netlist_reduce_impl.h"

typedef struct netlist_copier {
  const netlist *from;
  const net_substitution *s;
  const net_goals *goals;
  net_copy *copy;
  VEC (uint8_t) needed;  // by node
  VEC (uint32_t) stack;  // needed nodes whose operands have not been marked yet
  VEC (aig_lit) image;   // by node
} netlist_copier;

// ---- what is needed ---------------------------------------------------------------------------------

static void mark_needed_literal (netlist_copier *c, aig_lit x) {
  if (c->needed.data[x.i / 2]) return;
  c->needed.data[x.i / 2] = true;
  vec_push (&c->stack, x.i / 2);
}

static void need_leaf (netlist_copier *c, uint32_t node) {
  uint64_t what = *map_find (&c->from->of_node, node);
  if (!(what & 1)) return;
  aig_lit now = c->from->latches.data[what / 2].now, stands = c->s->by_latch.data[what / 2];
  mark_needed_literal (c, stands.i == now.i ? c->from->latches.data[what / 2].next : stands);
}

static void need_all_below (netlist_copier *c) {
  const aig *g = &c->from->graph;
  while (c->stack.count) {
    uint32_t node = vec_pop (&c->stack);
    if (!node) continue;
    if (aig_is_input (g, node)) need_leaf (c, node);
    else {
      mark_needed_literal (c, g->nodes.data[node].left);
      mark_needed_literal (c, g->nodes.data[node].right);
    }
  }
}

static void need_goals (netlist_copier *c) {
  const netlist *n = c->from;
  for (uint32_t k = 0; k < c->goals->num_bads; k++) mark_needed_literal (c, n->bads.data[c->goals->bads[k]].holds);
  for (uint32_t k = 0; k < n->constraints.count; k++) mark_needed_literal (c, n->constraints.data[k].holds);
  for (uint32_t k = 0; k < c->goals->num_justice; k++) {
    const net_justice *j = &n->justice.data[c->goals->justice[k]];
    for (uint32_t i = 0; i < j->conditions.count; i++) mark_needed_literal (c, j->conditions.data[i]);
  }
  for (uint32_t k = 0; c->goals->num_justice && k < n->fairness.count; k++)
    mark_needed_literal (c, n->fairness.data[k].holds);
  need_all_below (c);
}

// ---- copying ----------------------------------------------------------------------------------------

static aig_lit needed_literal (const netlist_copier *c, aig_lit x) {
  return (aig_lit){c->image.data[x.i / 2].i ^ (x.i & 1)};
}

static bool stands_for_itself (const netlist_copier *c, uint32_t latch) {
  return c->s->by_latch.data[latch].i == c->from->latches.data[latch].now.i;
}

static void copy_needed_leaves (netlist_copier *c) {
  const netlist *n = c->from;
  for (uint32_t k = 0; k < n->inputs.count; k++) {
    uint32_t node = n->inputs.data[k].now.i / 2;
    if (!c->needed.data[node]) continue;
    c->image.data[node] = netlist_add_input (&c->copy->to, n->inputs.data[k].name);
    vec_push (&c->copy->inputs, k);
  }
  for (uint32_t k = 0; k < n->latches.count; k++) {
    uint32_t node = n->latches.data[k].now.i / 2;
    if (!c->needed.data[node] || !stands_for_itself (c, k)) continue;
    c->image.data[node] = netlist_add_latch (&c->copy->to, n->latches.data[k].reset, n->latches.data[k].name);
    vec_push (&c->copy->latches, k);
  }
  for (uint32_t k = 0; k < n->latches.count; k++)
    if (!stands_for_itself (c, k))
      c->image.data[n->latches.data[k].now.i / 2] = needed_literal (c, c->s->by_latch.data[k]);
}

static void copy_ands (netlist_copier *c) {
  const aig *g = &c->from->graph;
  for (uint32_t i = 1; i < g->nodes.count; i++) {
    if (!c->needed.data[i] || aig_is_input (g, i)) continue;
    aig_node n = g->nodes.data[i];
    c->image.data[i] = aig_and (&c->copy->to.graph, needed_literal (c, n.left), needed_literal (c, n.right));
  }
  for (uint32_t k = 0; k < c->copy->latches.count; k++)
    netlist_set_next (&c->copy->to, k, needed_literal (c, c->from->latches.data[c->copy->latches.data[k]].next));
}

static void copy_needed_justice (netlist_copier *c, const net_justice *from) {
  net_justice *to = netlist_add_justice (&c->copy->to, from->name);
  for (uint32_t k = 0; k < from->conditions.count; k++)
    vec_push (&to->conditions, needed_literal (c, from->conditions.data[k]));
}

static void copy_needed_goals (netlist_copier *c) {
  const netlist *n = c->from;
  netlist *to = &c->copy->to;
  for (uint32_t k = 0; k < c->goals->num_bads; k++) {
    const net_output *bad = &n->bads.data[c->goals->bads[k]];
    netlist_add_bad (to, needed_literal (c, bad->holds), bad->name);
  }
  for (uint32_t k = 0; k < n->constraints.count; k++) {
    aig_lit holds = needed_literal (c, n->constraints.data[k].holds);
    if (holds.i != AIG_TRUE.i) netlist_add_constraint (to, holds, n->constraints.data[k].name);
  }
  if (!c->goals->num_justice) return;
  for (uint32_t k = 0; k < c->goals->num_justice; k++) copy_needed_justice (c, &n->justice.data[c->goals->justice[k]]);
  for (uint32_t k = 0; k < n->fairness.count; k++)
    netlist_add_fairness (to, needed_literal (c, n->fairness.data[k].holds), n->fairness.data[k].name);
}

void net_copy_cone (net_copy *copy, const netlist *from, const net_substitution *s, const net_goals *goals) {
  netlist_copier c = {.from = from, .s = s, .goals = goals, .copy = copy};
  *copy = (net_copy){0};
  netlist_init (&copy->to);
  for (uint32_t i = 0; i < from->graph.nodes.count; i++) {
    vec_push (&c.needed, false);
    vec_push (&c.image, AIG_FALSE);
  }
  need_goals (&c);
  copy_needed_leaves (&c);
  copy_ands (&c);
  copy_needed_goals (&c);
  vec_release (&c.needed);
  vec_release (&c.stack);
  vec_release (&c.image);
}
