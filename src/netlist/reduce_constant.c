// Finds latches that never change, by simulation with a third value, "unknown", for inputs and for latches without
// reset value. A latch whose next value differs from its value becomes unknown and stays unknown.  When no latch
// changes any more, a latch that is known has the same value in every reachable state.
#include "netlist/netlist_reduce_impl.h"

typedef enum ternary { FALSE, TRUE, UNKNOWN } ternary;

typedef VEC (uint8_t) ternaries;  // by node

static ternary ternary_value (const ternaries *v, aig_lit x) {
  ternary of_node = v->data[x.i / 2];
  return of_node == UNKNOWN ? UNKNOWN : (ternary) (of_node ^ (x.i & 1));
}

static ternary ternary_and (ternary a, ternary b) {
  if (a == FALSE || b == FALSE) return FALSE;
  return a == TRUE && b == TRUE ? TRUE : UNKNOWN;
}

static void evaluate_ternaries (const aig *g, ternaries *v) {
  for (uint32_t i = 1; i < g->nodes.count; i++)
    if (!aig_is_input (g, i))
      v->data[i] = ternary_and (ternary_value (v, g->nodes.data[i].left), ternary_value (v, g->nodes.data[i].right));
}

static bool forget_changes (const netlist *n, ternaries *v) {
  bool changed = false;
  for (uint32_t k = 0; k < n->latches.count; k++) {
    const net_latch *l = &n->latches.data[k];
    ternary now = ternary_value (v, l->now);
    if (now == UNKNOWN || ternary_value (v, l->next) == now) continue;
    v->data[l->now.i / 2] = UNKNOWN;
    changed = true;
  }
  return changed;
}

static void reset (const netlist *n, ternaries *v) {
  for (uint32_t i = 0; i < n->graph.nodes.count; i++) vec_push (v, i ? UNKNOWN : FALSE);
  for (uint32_t k = 0; k < n->latches.count; k++) {
    const net_latch *l = &n->latches.data[k];
    if (l->reset != NET_ANY) v->data[l->now.i / 2] = l->reset == NET_ONE ? TRUE : FALSE;
  }
}

// Each pass except the last makes at least one latch unknown.
void net_find_constants (const netlist *n, const budget *b, net_substitution *s) {
  ternaries v = {0};
  bool changed = true;
  reset (n, &v);
  while (changed && !budget_spent (b)) {
    evaluate_ternaries (&n->graph, &v);
    changed = forget_changes (n, &v);
  }
  for (uint32_t k = 0; !changed && k < n->latches.count; k++) {
    ternary now = ternary_value (&v, n->latches.data[k].now);
    if (now != UNKNOWN) net_substitute (s, n, k, now == TRUE ? AIG_TRUE : AIG_FALSE);
  }
  vec_release (&v);
}
