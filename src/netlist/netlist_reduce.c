// Reduces a circuit in rounds until it does not change any more: each round finds constants or other latches that can
// replace a latch, and copies the part of the circuit that is still needed.
#include "netlist/netlist_reduce.h"

#include "netlist/netlist_reduce_impl.h"

enum { NUM_ROUNDS = 8 };  // later rounds rarely find more, since they only use what the round before has simplified

net_size netlist_size (const netlist *n) { return (net_size){n->inputs.count, n->latches.count, n->graph.num_ands}; }

// ---- substitutions ----------------------------------------------------------------------------------

void net_substitution_init (net_substitution *s, const netlist *n) {
  *s = (net_substitution){0};
  for (uint32_t k = 0; k < n->latches.count; k++) vec_push (&s->by_latch, n->latches.data[k].now);
}

void net_substitution_release (net_substitution *s) { vec_release (&s->by_latch); }

void net_substitute (net_substitution *s, const netlist *n, uint32_t latch, aig_lit x) {
  s->count += x.i != n->latches.data[latch].now.i;
  s->by_latch.data[latch] = x;
}

// ---- rounds -----------------------------------------------------------------------------------------

// Returns the literal of the original circuit for x, which is a constant or a literal of a latch.
static aig_lit in_original (const net_reduction *r, const netlist *original, aig_lit x) {
  if (x.i < 2) return x;
  uint32_t latch = (uint32_t) (*map_find (&r->circuit.of_node, x.i / 2) / 2);
  return (aig_lit){original->latches.data[r->latches.data[latch]].now.i ^ (x.i & 1)};
}

static void remember_same (net_reduction *r, const netlist *original, const net_substitution *s) {
  for (uint32_t k = 0; k < s->by_latch.count; k++)
    r->same.data[r->latches.data[k]] = in_original (r, original, s->by_latch.data[k]);
}

// Replaces the circuit by the copy, and maps the copy's inputs and latches to those of the original.
static void replace_circuit (net_reduction *r, net_copy *copy) {
  for (uint32_t k = 0; k < copy->inputs.count; k++) r->inputs.data[k] = r->inputs.data[copy->inputs.data[k]];
  for (uint32_t k = 0; k < copy->latches.count; k++) r->latches.data[k] = r->latches.data[copy->latches.data[k]];
  r->inputs.count = copy->inputs.count;
  r->latches.count = copy->latches.count;
  vec_release (&copy->inputs);
  vec_release (&copy->latches);
  netlist_release (&r->circuit);
  r->circuit = copy->to;
}

static void copy_all (net_reduction *r, const net_substitution *s) {
  VEC (uint32_t) numbers = {0};
  const netlist *n = &r->circuit;
  for (uint32_t k = 0; k < n->bads.count || k < n->justice.count; k++) vec_push (&numbers, k);
  net_goals all = {numbers.data, numbers.data, n->bads.count, n->justice.count};
  net_copy copy;
  net_copy_cone (&copy, n, s, &all);
  replace_circuit (r, &copy);
  vec_release (&numbers);
}

// Applies the substitution.  Returns whether the circuit is smaller now.
static bool apply_substitution (net_reduction *r, const netlist *original, const net_substitution *s) {
  net_size before = netlist_size (&r->circuit);
  remember_same (r, original, s);
  copy_all (r, s);
  net_size after = netlist_size (&r->circuit);
  return after.inputs < before.inputs || after.latches < before.latches || after.ands < before.ands;
}

static bool drop_constants (net_reduction *r, const netlist *original, const net_reduce_options *o) {
  net_substitution s;
  net_substitution_init (&s, &r->circuit);
  net_find_constants (&r->circuit, o->budget, &s);
  r->constants += s.count;
  bool smaller = apply_substitution (r, original, &s);
  net_substitution_release (&s);
  return smaller;
}

static bool merge_equals (net_reduction *r, const netlist *original, const net_reduce_options *o) {
  if (!o->conflicts || (o->max_ands && r->circuit.graph.num_ands > o->max_ands)) return false;
  net_substitution s;
  net_substitution_init (&s, &r->circuit);
  r->sat_calls += net_find_equals (&r->circuit, o, &s);
  r->equals += s.count;
  bool smaller = apply_substitution (r, original, &s);
  net_substitution_release (&s);
  return smaller;
}

// Follows replacements to their ends: the latch that replaced another may itself have been replaced in a later round.
static void follow_same (net_reduction *r, const netlist *original) {
  for (uint32_t k = 0; k < r->same.count; k++) {
    aig_lit x = r->same.data[k];
    while (x.i >= 2) {
      uint32_t latch = (uint32_t) (*map_find (&original->of_node, x.i / 2) / 2);
      aig_lit further = {r->same.data[latch].i ^ (x.i & 1)};
      if (further.i == x.i) break;
      x = further;
    }
    r->same.data[k] = x;
  }
}

static void copy_all_goals (net_reduction *r, const netlist *n, const net_goals *goals) {
  net_substitution none;
  net_copy copy;
  net_substitution_init (&none, n);
  net_copy_cone (&copy, n, &none, goals);
  netlist_init (&r->circuit);
  for (uint32_t k = 0; k < n->inputs.count; k++) vec_push (&r->inputs, k);
  for (uint32_t k = 0; k < n->latches.count; k++) vec_push (&r->latches, k);
  for (uint32_t k = 0; k < n->latches.count; k++) vec_push (&r->same, n->latches.data[k].now);
  replace_circuit (r, &copy);
  net_substitution_release (&none);
}

void net_reduce (net_reduction *r, const netlist *n, const net_goals *goals, const net_reduce_options *o) {
  *r = (net_reduction){.before = netlist_size (n)};
  copy_all_goals (r, n, goals);
  bool smaller = true;
  for (unsigned round = 0; smaller && round < NUM_ROUNDS; round++) {
    while (drop_constants (r, n, o)) continue;
    smaller = merge_equals (r, n, o);
  }
  follow_same (r, n);
  r->after = netlist_size (&r->circuit);
}

void net_reduction_release (net_reduction *r) {
  netlist_release (&r->circuit);
  vec_release (&r->inputs);
  vec_release (&r->latches);
  vec_release (&r->same);
}
