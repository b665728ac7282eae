// The circuits that turn a justice property into a bad state, and the way back for paths.
//
// When all conditions have held is noted without an order: a latch for each remembers that it has held since the last time that all had.  A token that visits one condition after the
// other, as in the paper, would have to go round more often for the same.
#include "prove/live.h"

#include "base/diag.h"

typedef VEC (aig_lit) literal_list;

typedef struct copy {
  const netlist *from;
  netlist *to;
  literal_list image;       // by node of the original
  literal_list conditions;  // of the property, and fairness
} copy;

// ---- the original ----------------------------------------------------------------------------------------------------------

static aig_lit image (const copy *c, aig_lit x) { return (aig_lit){c->image.data[x.i / 2].i ^ (x.i & 1)}; }

static void copy_leaves (copy *c) {
  const netlist *n = c->from;
  for (uint32_t k = 0; k < n->inputs.count; k++)
    c->image.data[n->inputs.data[k].now.i / 2] = netlist_add_input (c->to, n->inputs.data[k].name);
  for (uint32_t k = 0; k < n->latches.count; k++)
    c->image.data[n->latches.data[k].now.i / 2] =
        netlist_add_latch (c->to, n->latches.data[k].reset, n->latches.data[k].name);
}

static void copy_functions (copy *c) {
  const netlist *n = c->from;
  for (uint32_t i = 1; i < n->graph.nodes.count; i++) {
    aig_node x = n->graph.nodes.data[i];
    if (!aig_is_input (&n->graph, i)) c->image.data[i] = aig_and (&c->to->graph, image (c, x.left), image (c, x.right));
  }
  for (uint32_t k = 0; k < n->latches.count; k++) netlist_set_next (c->to, k, image (c, n->latches.data[k].next));
  for (uint32_t k = 0; k < n->constraints.count; k++)
    netlist_add_constraint (c->to, image (c, n->constraints.data[k].holds), n->constraints.data[k].name);
}

static void add_condition (copy *c, aig_lit x) {
  for (uint32_t k = 0; k < c->conditions.count; k++)
    if (c->conditions.data[k].i == x.i) return;
  if (x.i != AIG_TRUE.i) vec_push (&c->conditions, x);
}

static void copy_init (copy *c, const netlist *from, uint32_t justice, netlist *to) {
  CHECK (justice < from->justice.count, "a justice property should be one of the circuit's");
  const net_justice *j = &from->justice.data[justice];
  *c = (copy){.from = from, .to = to};
  netlist_init (to);
  for (uint32_t i = 0; i < from->graph.nodes.count; i++) vec_push (&c->image, AIG_FALSE);
  copy_leaves (c);
  copy_functions (c);
  for (uint32_t k = 0; k < j->conditions.count; k++) add_condition (c, image (c, j->conditions.data[k]));
  for (uint32_t k = 0; k < from->fairness.count; k++) add_condition (c, image (c, from->fairness.data[k].holds));
}

static void copy_release (copy *c) {
  vec_release (&c->image);
  vec_release (&c->conditions);
}

static aig_lit add_helper (copy *c, const char *name, uint32_t *number) {
  *number = c->to->latches.count;
  return netlist_add_latch (c->to, NET_ZERO, name);
}

// ---- by safety -------------------------------------------------------------------------------------------------------------

// Is the state the one that was there when `stores` held?
static aig_lit add_stored_state (copy *c, aig_lit stores) {
  aig *g = &c->to->graph;
  aig_lit equal = AIG_TRUE;
  for (uint32_t k = 0; k < c->from->latches.count; k++) {
    uint32_t number;
    aig_lit now = c->to->latches.data[k].now, stored = add_helper (c, "stored", &number);
    netlist_set_next (c->to, number, aig_mux (g, stores, now, stored));
    equal = aig_and (g, equal, aig_not (aig_xor (g, now, stored)));
  }
  return equal;
}

// Has the condition held since `inside` does?
static aig_lit add_seen (copy *c, aig_lit inside, aig_lit condition) {
  uint32_t number;
  aig *g = &c->to->graph;
  aig_lit seen = add_helper (c, "seen", &number);
  netlist_set_next (c->to, number, aig_or (g, seen, aig_and (g, inside, condition)));
  return seen;
}

void live_by_safety (const netlist *n, uint32_t justice, netlist *safety) {
  copy c;
  uint32_t number;
  copy_init (&c, n, justice, safety);
  aig *g = &safety->graph;
  aig_lit store = netlist_add_input (safety, "store"), has_stored = add_helper (&c, "has stored", &number),
          inside = aig_or (g, store, has_stored);
  netlist_set_next (safety, number, inside);
  aig_lit bad = aig_and (g, has_stored, add_stored_state (&c, aig_and (g, store, aig_not (has_stored))));
  for (uint32_t k = 0; k < c.conditions.count; k++) bad = aig_and (g, bad, add_seen (&c, inside, c.conditions.data[k]));
  netlist_add_bad (safety, bad, "the stored state comes again");
  copy_release (&c);
}

// The last step of the path is only there to show the state; the loop begins where the state was stored.
void live_lasso (const netlist *n, const netlist *safety, const net_path *path, net_path *lasso) {
  *lasso = (net_path){.length = path->length - 1, .loop = NET_NO_LOOP};
  for (uint32_t k = 0; k < n->latches.count; k++) vec_push (&lasso->start, path->start.data[k]);
  for (uint32_t step = 0; step < lasso->length; step++) {
    const uint8_t *inputs = &path->inputs.data[(size_t) step * safety->inputs.count];
    for (uint32_t k = 0; k < n->inputs.count; k++) vec_push (&lasso->inputs, inputs[k]);
    if (inputs[n->inputs.count] && lasso->loop == NET_NO_LOOP) lasso->loop = step;
  }
}

// ---- by counting -----------------------------------------------------------------------------------------------------------

// All conditions have held since they did so the last time, or the start.
static aig_lit add_tick (copy *c) {
  aig *g = &c->to->graph;
  literal_list held = {0};
  uint32_t first = c->to->latches.count;
  aig_lit tick = AIG_TRUE;
  if (c->conditions.count == 1) return c->conditions.data[0];
  for (uint32_t k = 0; k < c->conditions.count; k++) {
    uint32_t number;
    aig_lit seen = add_helper (c, "seen", &number);
    vec_push (&held, aig_or (g, seen, c->conditions.data[k]));
    tick = aig_and (g, tick, held.data[k]);
  }
  for (uint32_t k = 0; k < held.count; k++)
    netlist_set_next (c->to, first + k, aig_and (g, held.data[k], aig_not (tick)));
  vec_release (&held);
  return tick;
}

// Each bad state implies the one before in any state, reachable or not: so IC3 can go from one to the next (prove_chain_by_ic3).
void live_by_counting (const netlist *n, uint32_t justice, uint32_t most, netlist *counting) {
  copy c;
  copy_init (&c, n, justice, counting);
  aig *g = &counting->graph;
  aig_lit tick = add_tick (&c), before = AIG_TRUE, all = AIG_TRUE;
  for (uint32_t k = 0; k < most; k++) {
    uint32_t number;
    aig_lit reached = add_helper (&c, "counted", &number);
    netlist_set_next (counting, number, aig_or (g, reached, aig_and (g, before, tick)));
    all = aig_and (g, all, reached);
    before = reached;
    netlist_add_bad (counting, all, "it has happened so often");
  }
  copy_release (&c);
}
