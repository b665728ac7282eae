// Each step is built as a part of one and-inverter graph, in which the latches of a step are the next values of the
// step before: so constants of the reset fold, and equal structure of different steps is shared before any clause is
// made. Only the literals of queries get clauses.
#include "prove/unroll.h"

#include "base/diag.h"

enum { NOT_IN_CONE = UINT32_MAX, NODES_BETWEEN_LOOKS_AT_BUDGET = 1 << 16 };

// ---- the cone ---------------------------------------------------------------------------------------

typedef VEC (uint32_t) node_list;

static void mark_in_cone (unroll *u, node_list *stack, aig_lit x) {
  if (u->place.data[x.i / 2] != NOT_IN_CONE) return;
  u->place.data[x.i / 2] = 0;
  vec_push (stack, x.i / 2);
}

static void mark_operands (unroll *u, node_list *stack, uint32_t node) {
  const aig *g = &u->net->graph;
  if (!node) return;
  if (!aig_is_input (g, node)) {
    mark_in_cone (u, stack, g->nodes.data[node].left);
    mark_in_cone (u, stack, g->nodes.data[node].right);
    return;
  }
  uint64_t kind = *map_find (&u->net->of_node, node);
  if (kind & 1) mark_in_cone (u, stack, u->net->latches.data[kind / 2].next);
}

static void find_unroll_cone (unroll *u, aig_lit bad) {
  node_list stack = {0};
  for (uint32_t i = 0; i < u->net->graph.nodes.count; i++) vec_push (&u->place, NOT_IN_CONE);
  mark_in_cone (u, &stack, bad);
  for (uint32_t i = 0; i < u->net->constraints.count; i++) mark_in_cone (u, &stack, u->net->constraints.data[i].holds);
  while (stack.count) {
    uint32_t node = vec_pop (&stack);
    mark_operands (u, &stack, node);
  }
  vec_release (&stack);
  for (uint32_t i = 0; i < u->place.count; i++) {
    if (u->place.data[i] == NOT_IN_CONE) continue;
    u->place.data[i] = u->cone.count;
    vec_push (&u->cone, i);
  }
  for (uint32_t i = 0; i < u->net->latches.count; i++)
    if (u->place.data[u->net->latches.data[i].now.i / 2] != NOT_IN_CONE) vec_push (&u->latches, i);
}

// ---- life cycle -------------------------------------------------------------------------------------

void unroll_init (unroll *u, const netlist *n, aig_lit bad, bool from_reset, const budget *b) {
  *u = (unroll){.net = n, .from_reset = from_reset, .solver = sat_new_plain (b), .budget = b};
  aig_init (&u->graph);
  cnf_init (&u->cnf, &u->graph, u->solver);
  find_unroll_cone (u, bad);
}

void unroll_release (unroll *u) {
  cnf_release (&u->cnf);
  sat_free (u->solver);
  aig_release (&u->graph);
  vec_release (&u->cone);
  vec_release (&u->place);
  vec_release (&u->latches);
  vec_release (&u->at);
  vec_release (&u->value);
}

// ---- steps ------------------------------------------------------------------------------------------

aig_lit unroll_find (const unroll *u, uint32_t step, aig_lit x) {
  uint32_t place = u->place.data[x.i / 2];
  CHECK (place != NOT_IN_CONE && step < u->num_steps + 1,
         "a literal should be asked for in its cone, at a step that there is");
  return (aig_lit){u->at.data[(size_t) step * u->cone.count + place].i ^ (x.i & 1)};
}

static aig_lit start_value (unroll *u, net_reset reset) {
  if (!u->from_reset || reset == NET_ANY) return aig_input (&u->graph);
  return reset == NET_ONE ? AIG_TRUE : AIG_FALSE;
}

static aig_lit literal_of_node (unroll *u, uint32_t step, uint32_t node) {
  const aig *g = &u->net->graph;
  if (!node) return AIG_FALSE;
  if (!aig_is_input (g, node)) {
    aig_node n = g->nodes.data[node];
    return aig_and (&u->graph, unroll_find (u, step, n.left), unroll_find (u, step, n.right));
  }
  uint64_t kind = *map_find (&u->net->of_node, node);
  if (!(kind & 1)) return aig_input (&u->graph);
  const net_latch *latch = &u->net->latches.data[kind / 2];
  return step ? unroll_find (u, step - 1, latch->next) : start_value (u, latch->reset);
}

static void add_step_constraints (unroll *u, uint32_t step) {
  for (uint32_t i = 0; i < u->net->constraints.count; i++) {
    int literal = unroll_literal (u, step, u->net->constraints.data[i].holds);
    sat_add_clause (u->solver, &literal, 1);
  }
}

bool unroll_add_step (unroll *u) {
  uint32_t step = u->num_steps;
  vec_reserve (&u->at, (step + 1) * u->cone.count);
  for (uint32_t i = 0; i < u->cone.count; i++) {
    vec_push (&u->at, literal_of_node (u, step, u->cone.data[i]));
    if (i % NODES_BETWEEN_LOOKS_AT_BUDGET == 0 && budget_spent (u->budget)) return false;
  }
  u->num_steps++;
  add_step_constraints (u, step);
  return true;
}

int unroll_literal (unroll *u, uint32_t step, aig_lit x) { return cnf_literal (&u->cnf, unroll_find (u, step, x)); }

// ---- models -----------------------------------------------------------------------------------------

static bool unrolled_value (const unroll *u, aig_lit x) { return u->value.data[x.i / 2] ^ (x.i & 1); }

static bool evaluate_unrolled_node (const unroll *u, uint32_t node) {
  if (!node) return false;
  aig_node n = u->graph.nodes.data[node];
  if (!aig_is_input (&u->graph, node)) return unrolled_value (u, n.left) && unrolled_value (u, n.right);
  int literal = cnf_find_literal (&u->cnf, (aig_lit){2 * node});
  return literal && sat_value (u->solver, literal);
}

void unroll_evaluate (unroll *u) {
  vec_clear (&u->value);
  for (uint32_t node = 0; node < u->graph.nodes.count; node++) vec_push (&u->value, evaluate_unrolled_node (u, node));
}

static bool model_value_at (const unroll *u, uint32_t step, aig_lit now) {
  return u->place.data[now.i / 2] != NOT_IN_CONE && unrolled_value (u, unroll_find (u, step, now));
}

void unroll_read_path (unroll *u, uint32_t length, net_path *path) {
  unroll_evaluate (u);
  *path = (net_path){.length = length, .loop = NET_NO_LOOP};
  for (uint32_t i = 0; i < u->net->latches.count; i++) {
    const net_latch *l = &u->net->latches.data[i];
    vec_push (&path->start, l->reset == NET_ANY ? model_value_at (u, 0, l->now) : l->reset == NET_ONE);
  }
  for (uint32_t step = 0; step < length; step++)
    for (uint32_t i = 0; i < u->net->inputs.count; i++)
      vec_push (&path->inputs, model_value_at (u, step, u->net->inputs.data[i].now));
}

bool unroll_states_are_equal (const unroll *u, uint32_t step, uint32_t other) {
  for (uint32_t i = 0; i < u->latches.count; i++) {
    aig_lit now = u->net->latches.data[u->latches.data[i]].now;
    if (unrolled_value (u, unroll_find (u, step, now)) != unrolled_value (u, unroll_find (u, other, now))) return false;
  }
  return true;
}
