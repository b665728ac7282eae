// Latches that never change: simulation with a third value, "unknown", for inputs and for latches without reset value.  A latch that gets another value than it had
// becomes unknown and stays so, until nothing changes; what is known then is the same in every reachable state.
#include "netlist/reduce_impl.h"

typedef enum ternary { FALSE, TRUE, UNKNOWN } ternary;

typedef VEC (uint8_t) ternaries;  // by node

static ternary value (const ternaries *v, aig_lit x) {
  ternary of_node = v->data[x.i / 2];
  return of_node == UNKNOWN ? UNKNOWN : (ternary) (of_node ^ (x.i & 1));
}

static ternary both (ternary a, ternary b) {
  if (a == FALSE || b == FALSE) return FALSE;
  return a == TRUE && b == TRUE ? TRUE : UNKNOWN;
}

static void evaluate (const aig *g, ternaries *v) {
  for (uint32_t i = 1; i < g->nodes.count; i++)
    if (!aig_is_input (g, i)) v->data[i] = both (value (v, g->nodes.data[i].left), value (v, g->nodes.data[i].right));
}

static bool forget_changes (const netlist *n, ternaries *v) {
  bool changed = false;
  for (uint32_t k = 0; k < n->latches.count; k++) {
    const net_latch *l = &n->latches.data[k];
    ternary now = value (v, l->now);
    if (now == UNKNOWN || value (v, l->next) == now) continue;
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

// A pass forgets at least one latch, unless it is the last.
void net_find_constants (const netlist *n, const budget *b, net_substitution *s) {
  ternaries v = {0};
  bool changed = true;
  reset (n, &v);
  while (changed && !budget_spent (b)) {
    evaluate (&n->graph, &v);
    changed = forget_changes (n, &v);
  }
  for (uint32_t k = 0; !changed && k < n->latches.count; k++) {
    ternary now = value (&v, n->latches.data[k].now);
    if (now != UNKNOWN) net_substitute (s, n, k, now == TRUE ? AIG_TRUE : AIG_FALSE);
  }
  vec_release (&v);
}
