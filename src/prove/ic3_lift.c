// Lifts one state with its inputs to the set of states that lead to the same result for the same reason.
//
// The values of the cone of the targets (next values of latches, constraints, the bad state) are computed, and from the
// targets down one false operand is chosen for each false gate, all operands for each true one: the latches found on
// the way are a sufficient reason. Asking a solver for a smaller reason (Chockler, Ivrii, Matsliah, Moran and Nevo,
// Incremental Formal Verification of Hardware, 2011) did not pay on bench/circuits.
#include "prove/ic3_impl.h"

void ic3_lift_init (ic3 *p) {
  lifter *l = &p->lift;
  uint32_t num_nodes = p->net->graph.nodes.count;
  vec_reserve (&l->value, num_nodes);
  for (uint32_t i = 0; i < num_nodes; i++) {
    vec_push (&l->value, 0);
    vec_push (&l->valued, 0);
    vec_push (&l->needed, 0);
    vec_push (&l->latch_of, UINT32_MAX);
  }
  for (uint32_t i = 0; i < p->net->latches.count; i++) l->latch_of.data[p->net->latches.data[i].now.i / 2] = i;
}

void ic3_lift_release (ic3 *p) {
  lifter *l = &p->lift;
  vec_release (&l->value);
  vec_release (&l->valued);
  vec_release (&l->needed);
  vec_release (&l->latch_of);
  vec_release (&l->stack);
  vec_release (&l->targets);
}

// ---- the model --------------------------------------------------------------------------------------

static bool model_value (const ic3 *p, aig_lit now) {
  int literal = cnf_find_literal (&p->answered->cnf, now);
  return literal && sat_value (p->answered->solver, literal);
}

bool ic3_model_latch (const ic3 *p, uint32_t latch) { return model_value (p, p->net->latches.data[latch].now); }

uint8_t *ic3_model_inputs (const ic3 *p, arena *a) {
  uint8_t *inputs = arena_alloc (a, p->net->inputs.count);
  for (uint32_t i = 0; i < p->net->inputs.count; i++) inputs[i] = model_value (p, p->net->inputs.data[i].now);
  return inputs;
}

static bool literal_value (const lifter *l, aig_lit x) { return l->value.data[x.i / 2] ^ (x.i & 1); }

static bool operand_is_ready (lifter *l, aig_lit x) {
  if (l->valued.data[x.i / 2] == l->stamp) return true;
  vec_push (&l->stack, x.i / 2);
  return false;
}

static void evaluate_target (ic3 *p, aig_lit target) {
  lifter *l = &p->lift;
  const aig *g = &p->net->graph;
  operand_is_ready (l, target);
  while (l->stack.count) {
    uint32_t node = vec_last (&l->stack);
    aig_node n = g->nodes.data[node];
    if (!node) l->value.data[node] = 0;
    else if (aig_is_input (g, node)) l->value.data[node] = model_value (p, (aig_lit){2 * node});
    else {
      bool left = operand_is_ready (l, n.left), right = operand_is_ready (l, n.right);
      if (!left || !right) continue;
      l->value.data[node] = literal_value (l, n.left) && literal_value (l, n.right);
    }
    l->valued.data[node] = l->stamp;
    l->stack.count--;
  }
}

// ---- reasons ----------------------------------------------------------------------------------------

static void mark_needed_node (lifter *l, aig_lit x) {
  if (l->needed.data[x.i / 2] == l->stamp) return;
  l->needed.data[x.i / 2] = l->stamp;
  vec_push (&l->stack, x.i / 2);
}

// Chooses one of two false operands: one that is needed anyway, or an input, which costs no literal, or the older one,
// which is nearer to the latches.
static aig_lit better_reason (const ic3 *p, aig_node n) {
  const lifter *l = &p->lift;
  if (literal_value (l, n.left)) return n.right;
  if (literal_value (l, n.right)) return n.left;
  uint32_t left = n.left.i / 2, right = n.right.i / 2;
  if (l->needed.data[left] == l->stamp) return n.left;
  if (l->needed.data[right] == l->stamp) return n.right;
  if (aig_is_input (&p->net->graph, right) && l->latch_of.data[right] == UINT32_MAX) return n.right;
  return left < right ? n.left : n.right;
}

static void collect_reasons (ic3 *p, literals *out) {
  lifter *l = &p->lift;
  const aig *g = &p->net->graph;
  while (l->stack.count) {
    uint32_t node = vec_pop (&l->stack);
    if (!node) continue;
    if (aig_is_input (g, node)) {
      if (l->latch_of.data[node] != UINT32_MAX) vec_push (out, 2 * l->latch_of.data[node] + !l->value.data[node]);
      continue;
    }
    aig_node n = g->nodes.data[node];
    if (!l->value.data[node]) mark_needed_node (l, better_reason (p, n));
    else {
      mark_needed_node (l, n.left);
      mark_needed_node (l, n.right);
    }
  }
}

static void collect_lift_targets (ic3 *p, const literals *next) {
  lifter *l = &p->lift;
  vec_clear (&l->targets);
  for (uint32_t i = 0; i < p->net->constraints.count; i++) vec_push (&l->targets, p->net->constraints.data[i].holds);
  if (!next) vec_push (&l->targets, p->bad);
  for (uint32_t i = 0; next && i < next->count; i++)
    vec_push (&l->targets, p->net->latches.data[next->data[i] / 2].next);
}

void ic3_lift_predecessor (ic3 *p, const literals *next, literals *out) {
  lifter *l = &p->lift;
  l->stamp++;
  collect_lift_targets (p, next);
  for (uint32_t i = 0; i < l->targets.count; i++) evaluate_target (p, l->targets.data[i]);
  vec_clear (out);
  for (uint32_t i = 0; i < l->targets.count; i++) mark_needed_node (l, l->targets.data[i]);
  collect_reasons (p, out);
}
