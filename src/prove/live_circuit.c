// Builds the circuits that turn a justice property into a bad state, and translates their paths back.
//
// The conditions may become true in any order: a latch for each one remembers that it was true since all were the last
// time. A token that visits the conditions in order, as in the paper, would need more rounds for the same.
#include "prove/prove_live.h"

#include "base/diag.h"

typedef VEC (aig_lit) literal_list;

typedef struct circuit_copy {
  const netlist *from;
  netlist *to;
  literal_list image;       // by node of the original
  literal_list conditions;  // of the property, and fairness
} circuit_copy;

// ---- the original -----------------------------------------------------------------------------------

static aig_lit literal_in (const literal_list *nodes, aig_lit x) {
  return (aig_lit){nodes->data[x.i / 2].i ^ (x.i & 1)};
}

static aig_lit copied_literal (const circuit_copy *c, aig_lit x) { return literal_in (&c->image, x); }

static void copy_inputs_and_latches (circuit_copy *c) {
  const netlist *n = c->from;
  for (uint32_t k = 0; k < n->inputs.count; k++)
    c->image.data[n->inputs.data[k].now.i / 2] = netlist_add_input (c->to, n->inputs.data[k].name);
  for (uint32_t k = 0; k < n->latches.count; k++)
    c->image.data[n->latches.data[k].now.i / 2] =
        netlist_add_latch (c->to, n->latches.data[k].reset, n->latches.data[k].name);
}

static void copy_original_gates (circuit_copy *c) {
  const netlist *n = c->from;
  for (uint32_t i = 1; i < n->graph.nodes.count; i++) {
    aig_node x = n->graph.nodes.data[i];
    if (!aig_is_input (&n->graph, i))
      c->image.data[i] = aig_and (&c->to->graph, copied_literal (c, x.left), copied_literal (c, x.right));
  }
  for (uint32_t k = 0; k < n->latches.count; k++)
    netlist_set_next (c->to, k, copied_literal (c, n->latches.data[k].next));
  for (uint32_t k = 0; k < n->constraints.count; k++)
    netlist_add_constraint (c->to, copied_literal (c, n->constraints.data[k].holds), n->constraints.data[k].name);
}

static void add_live_condition (circuit_copy *c, aig_lit x) {
  for (uint32_t k = 0; k < c->conditions.count; k++)
    if (c->conditions.data[k].i == x.i) return;
  if (x.i != AIG_TRUE.i) vec_push (&c->conditions, x);
}

uint32_t live_num_conditions (const netlist *n, uint32_t justice) {
  CHECK (justice < n->justice.count, "a justice property should be one of the circuit's");
  return n->justice.data[justice].conditions.count + n->fairness.count;
}

aig_lit live_condition (const netlist *n, uint32_t justice, uint32_t number) {
  const net_justice *j = &n->justice.data[justice];
  if (number < j->conditions.count) return j->conditions.data[number];
  number -= j->conditions.count;
  return number < n->fairness.count ? n->fairness.data[number].holds : AIG_TRUE;
}

static void copy_init (circuit_copy *c, const netlist *from, uint32_t justice, netlist *to) {
  *c = (circuit_copy){.from = from, .to = to};
  netlist_init (to);
  for (uint32_t i = 0; i < from->graph.nodes.count; i++) vec_push (&c->image, AIG_FALSE);
  copy_inputs_and_latches (c);
  copy_original_gates (c);
  for (uint32_t k = 0; k < live_num_conditions (from, justice); k++)
    add_live_condition (c, copied_literal (c, live_condition (from, justice, k)));
}

static void copy_release (circuit_copy *c) {
  vec_release (&c->image);
  vec_release (&c->conditions);
}

static aig_lit add_helper_latch (circuit_copy *c, const char *name, uint32_t *number) {
  *number = c->to->latches.count;
  return netlist_add_latch (c->to, NET_ZERO, name);
}

// ---- by safety --------------------------------------------------------------------------------------

// Is the current state the one that was stored when `stores` was true?
static aig_lit add_stored_state (circuit_copy *c, aig_lit stores) {
  aig *g = &c->to->graph;
  aig_lit equal = AIG_TRUE;
  for (uint32_t k = 0; k < c->from->latches.count; k++) {
    uint32_t number;
    aig_lit now = c->to->latches.data[k].now, stored = add_helper_latch (c, "stored", &number);
    netlist_set_next (c->to, number, aig_mux (g, stores, now, stored));
    equal = aig_and (g, equal, aig_not (aig_xor (g, now, stored)));
  }
  return equal;
}

// Was the condition true since `inside` is?
static aig_lit add_seen (circuit_copy *c, aig_lit inside, aig_lit condition) {
  uint32_t number;
  aig *g = &c->to->graph;
  aig_lit seen = add_helper_latch (c, "seen", &number);
  netlist_set_next (c->to, number, aig_or (g, seen, aig_and (g, inside, condition)));
  return seen;
}

void live_by_safety (const netlist *n, uint32_t justice, netlist *safety) {
  circuit_copy c;
  uint32_t number;
  copy_init (&c, n, justice, safety);
  aig *g = &safety->graph;
  aig_lit store = netlist_add_input (safety, "store"), has_stored = add_helper_latch (&c, "has stored", &number),
          inside = aig_or (g, store, has_stored);
  netlist_set_next (safety, number, inside);
  aig_lit bad = aig_and (g, has_stored, add_stored_state (&c, aig_and (g, store, aig_not (has_stored))));
  for (uint32_t k = 0; k < c.conditions.count; k++) bad = aig_and (g, bad, add_seen (&c, inside, c.conditions.data[k]));
  netlist_add_bad (safety, bad, "the stored state comes again");
  copy_release (&c);
}

// The last step of the path only shows the state; the loop begins where the state was stored.
void live_lasso (const netlist *n, const netlist *safety, const net_path *path, net_path *lasso) {
  *lasso = (net_path){.length = path->length - 1, .loop = NET_NO_LOOP};
  for (uint32_t k = 0; k < n->latches.count; k++) vec_push (&lasso->start, path->start.data[k]);
  for (uint32_t step = 0; step < lasso->length; step++) {
    const uint8_t *inputs = &path->inputs.data[(size_t) step * safety->inputs.count];
    for (uint32_t k = 0; k < n->inputs.count; k++) vec_push (&lasso->inputs, inputs[k]);
    if (inputs[n->inputs.count] && lasso->loop == NET_NO_LOOP) lasso->loop = step;
  }
}

// ---- by counting ------------------------------------------------------------------------------------

// True when all conditions were true since the last time, or since the start.
static aig_lit add_tick (circuit_copy *c) {
  aig *g = &c->to->graph;
  literal_list held = {0};
  uint32_t first = c->to->latches.count;
  aig_lit tick = AIG_TRUE;
  if (c->conditions.count == 1) return c->conditions.data[0];
  for (uint32_t k = 0; k < c->conditions.count; k++) {
    uint32_t number;
    aig_lit seen = add_helper_latch (c, "seen", &number);
    vec_push (&held, aig_or (g, seen, c->conditions.data[k]));
    tick = aig_and (g, tick, held.data[k]);
  }
  for (uint32_t k = 0; k < held.count; k++)
    netlist_set_next (c->to, first + k, aig_and (g, held.data[k], aig_not (tick)));
  vec_release (&held);
  return tick;
}

// Each bad state implies the one before in any state, reachable or not: so IC3 can go from one to the next
// (prove_chain_by_ic3).
void live_by_counting (const netlist *n, uint32_t justice, uint32_t most, netlist *counting) {
  circuit_copy c;
  copy_init (&c, n, justice, counting);
  aig *g = &counting->graph;
  aig_lit tick = add_tick (&c), before = AIG_TRUE, all = AIG_TRUE;
  for (uint32_t k = 0; k < most; k++) {
    uint32_t number;
    aig_lit reached = add_helper_latch (&c, "counted", &number);
    netlist_set_next (counting, number, aig_or (g, reached, aig_and (g, before, tick)));
    all = aig_and (g, all, reached);
    before = reached;
    netlist_add_bad (counting, all, "it has happened so often");
  }
  copy_release (&c);
}

// ---- by descent -------------------------------------------------------------------------------------

static bool is_of_circuit (const netlist *n, uint32_t justice, const prove_certificate *p) {
  if (!p->graph.nodes.count || p->graph.num_inputs > n->latches.count) return false;
  bool is = true;
  for (uint32_t k = 0; k < p->blocks.count; k++)
    is &= p->blocks.data[k].states.i / 2 < p->graph.nodes.count &&
          p->blocks.data[k].condition <= live_num_conditions (n, justice);
  return is;
}

// Adds the graph of the certificate over these values of the latches, by its nodes.
static void add_graph (circuit_copy *c, const aig *from, bool next, literal_list *to) {
  for (uint32_t i = 0; i < from->nodes.count; i++) {
    aig_node x = from->nodes.data[i];
    aig_lit of_node = AIG_FALSE;
    if (i && aig_is_input (from, i)) {
      const net_latch *latch = &c->to->latches.data[x.right.i];
      of_node = next ? latch->next : latch->now;
    } else if (i) of_node = aig_and (&c->to->graph, literal_in (to, x.left), literal_in (to, x.right));
    vec_push (to, of_node);
  }
}

bool live_by_descent (const netlist *n, uint32_t justice, const prove_certificate *p, netlist *descent) {
  circuit_copy c;
  literal_list now = {0}, next = {0};
  if (!is_of_circuit (n, justice, p)) return false;
  copy_init (&c, n, justice, descent);
  aig *g = &descent->graph;
  add_graph (&c, &p->graph, false, &now);
  add_graph (&c, &p->graph, true, &next);
  aig_lit covered = AIG_FALSE, before = AIG_FALSE;  // before: the next state is in an earlier block
  for (uint32_t k = 0; k < p->blocks.count; k++) {
    const prove_block *b = &p->blocks.data[k];
    aig_lit here = literal_in (&now, b->states), there = literal_in (&next, b->states),
            condition = copied_literal (&c, live_condition (n, justice, b->condition)),
            good = aig_or (g, before, aig_and (g, there, aig_not (condition)));
    netlist_add_bad (descent, aig_and (g, here, aig_not (good)), "a step that leads up");
    covered = aig_or (g, covered, here);
    before = aig_or (g, before, there);
  }
  netlist_add_bad (descent, aig_not (covered), "it is in no block");
  vec_release (&now);
  vec_release (&next);
  copy_release (&c);
  return true;
}
