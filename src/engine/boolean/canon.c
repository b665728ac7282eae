// Computes one form for many symbolic states that stand for the same states, so that most of them are recognised
// without a solver:
//
// - variables that no thread reads any more become false (paper BOOL, section 4: only active variables count);
// - a choice that the guard fixes becomes that constant;
// - conjuncts of the guard that are connected to no variable by shared choices, directly or through other conjuncts,
//   are removed: they can be satisfied whatever values the variables have;
// - groups of few variables get formulas that depend only on the set of their values (parameters.h), unless
//   --parameters=plain keeps the formulas of the steps;
// - choices are numbered in the order in which the variables use them.
//
// A trace needs what is lost here; it executes all steps again (boolean_trace.c).
#include "base/diag.h"
#include "engine/boolean/parameters.h"
#include "engine/boolean/symbolic.h"

#include <stdlib.h>

void canoniser_release (canoniser *c) {
  cone_release (&c->cone);
  vec_release (&c->group);
  vec_release (&c->leader);
  vec_release (&c->number);
  vec_release (&c->wanted);
  truth_release (&c->truth);
  vec_release (&c->members);
  vec_release (&c->value_group);
  vec_release (&c->guard_group);
  vec_release (&c->formulas);
  vec_release (&c->conjuncts);
  vec_release (&c->choices);
}

// ---- dead variables ---------------------------------------------------------------------------------
static bool is_live_for_any (const state_layout *l, const state_builder *d, bp_var v) {
  for (uint32_t t = 0; t < d->at.count; t++)
    if (bp_is_live (&l->live, (bp_loc){d->at.data[t]}, v)) return true;
  return false;
}

static void forget_dead (const state_layout *l, state_builder *d) {
  for (uint32_t v = 0; v < l->program->vars.count; v++)
    if (l->program->vars.data[v].global && !is_live_for_any (l, d, (bp_var){v}))
      d->values.data[layout_place (l, 0, v)] = AIG_FALSE;
  for (uint32_t t = 0; t < d->at.count; t++)
    for (uint32_t slot = 0; slot < l->num_locals; slot++)
      if (!layout_slot_is_live (l, d->at.data[t], slot))
        d->values.data[l->num_globals + t * l->num_locals + slot] = AIG_FALSE;
}

// ---- cones ------------------------------------------------------------------------------------------
static uint32_t input_of (const aig *g, uint32_t node) { return g->nodes.data[node].right.i; }

static void find_state_cone (canoniser *c, const aig *g, const state_builder *d) {
  cone_begin (&c->cone, g);
  for (uint32_t i = 0; i < d->values.count; i++) cone_add (&c->cone, g, d->values.data[i]);
  for (uint32_t i = 0; i < d->guard.count; i++) cone_add (&c->cone, g, d->guard.data[i]);
}

static int compare_conjuncts (const void *a, const void *b) {
  uint32_t x = ((const aig_lit *) a)->i, y = ((const aig_lit *) b)->i;
  return (x > y) - (x < y);
}

static void replace_by_images (canoniser *c, simulator *s, state_builder *d) {
  aig_lits guard = {0};
  cone_copy (&c->cone, &s->graph, &s->graph);
  for (uint32_t i = 0; i < d->values.count; i++) d->values.data[i] = cone_image (&c->cone, d->values.data[i]);
  for (uint32_t i = 0; i < d->guard.count; i++) guard_add (&s->graph, &guard, cone_image (&c->cone, d->guard.data[i]));
  if (guard.count) qsort (guard.data, guard.count, sizeof *guard.data, compare_conjuncts);
  vec_clear (&d->guard);
  for (uint32_t i = 0; i < guard.count; i++)
    if (!i || guard.data[i].i != guard.data[i - 1].i) vec_push (&d->guard, guard.data[i]);
  vec_release (&guard);
}

// ---- fixed choices ----------------------------------------------------------------------------------
static bool fix_choices (canoniser *c, simulator *s, state_builder *d) {
  const aig *g = &s->graph;
  bool any = false;
  for (uint32_t i = 0; i < d->guard.count; i++)
    any |= d->guard.data[i].i > 1 && aig_is_input (g, d->guard.data[i].i / 2);
  if (!any) return false;
  find_state_cone (c, g, d);
  for (uint32_t i = 0; i < c->cone.nodes.count; i++) {
    uint32_t node = c->cone.nodes.data[i];
    if (aig_is_input (g, node)) cone_set (&c->cone, node, (aig_lit){2 * node});
  }
  for (uint32_t i = 0; i < d->guard.count; i++) {
    aig_lit x = d->guard.data[i];
    if (aig_is_input (g, x.i / 2)) cone_set (&c->cone, x.i / 2, x.i & 1 ? AIG_FALSE : AIG_TRUE);
  }
  replace_by_images (c, s, d);
  return true;
}

// ---- groups -----------------------------------------------------------------------------------------
static uint32_t leader_of (const canoniser *c, uint32_t input) {
  while (c->leader.data[input] != input) input = c->leader.data[input] = c->leader.data[c->leader.data[input]];
  return input;
}

static uint32_t choice_group (const canoniser *c, aig_lit x) {
  return x.i < 2 ? BP_NONE : leader_of (c, c->group.data[x.i / 2]);
}

// All inputs below one node are in one group.
static void find_choice_groups (canoniser *c, const simulator *s) {
  const aig *g = &s->graph;
  while (c->group.count < g->nodes.count) vec_push (&c->group, BP_NONE);
  while (c->leader.count < s->inputs.count) {
    vec_push (&c->leader, 0);
    vec_push (&c->number, 0);
    vec_push (&c->wanted, false);
  }
  for (uint32_t i = 0; i < c->cone.nodes.count; i++) {
    uint32_t node = c->cone.nodes.data[i];
    if (aig_is_input (g, node)) {
      uint32_t input = input_of (g, node);
      c->group.data[node] = c->leader.data[input] = input;
      c->wanted.data[input] = false;
      c->number.data[input] = BP_NONE;
      continue;
    }
    uint32_t a = choice_group (c, g->nodes.data[node].left), b = choice_group (c, g->nodes.data[node].right);
    c->leader.data[b] = a;
    c->group.data[node] = a;
  }
}

static void mark_groups_of_variables (canoniser *c, const state_builder *d) {
  for (uint32_t i = 0; i < d->values.count; i++) {
    uint32_t group = choice_group (c, d->values.data[i]);
    if (group != BP_NONE) c->wanted.data[group] = true;
  }
}

static void drop_unwanted (canoniser *c, state_builder *d) {
  uint32_t kept = 0;
  mark_groups_of_variables (c, d);
  for (uint32_t i = 0; i < d->guard.count; i++) {
    CHECK (d->guard.data[i].i != AIG_FALSE.i, "a guard that was satisfiable should stay so");
    if (c->wanted.data[choice_group (c, d->guard.data[i])]) d->guard.data[kept++] = d->guard.data[i];
  }
  d->guard.count = kept;
}

// ---- canonical formulas of groups -------------------------------------------------------------------
// Collects the variables and conjuncts of the group of value `first`. Removes the group from value_group, which keeps
// the groups that are still to be handled; guard_group keeps it.
static void collect_group (canoniser *c, const state_builder *d, uint32_t first) {
  uint32_t group = c->value_group.data[first];
  vec_clear (&c->members);
  vec_clear (&c->formulas);
  vec_clear (&c->conjuncts);
  for (uint32_t i = first; i < d->values.count; i++) {
    if (c->value_group.data[i] != group) continue;
    vec_push (&c->members, i);
    vec_push (&c->formulas, d->values.data[i]);
    c->value_group.data[i] = BP_NONE;
  }
  for (uint32_t i = 0; i < d->guard.count; i++)
    if (c->guard_group.data[i] == group) vec_push (&c->conjuncts, d->guard.data[i]);
  c->group_at_hand = group;
}

// Makes new choices, so that no two groups share one.
static void make_choices (canoniser *c, simulator *s, state_builder *d) {
  vec_clear (&c->choices);
  for (uint32_t i = 0; i < c->members.count; i++) {
    while (s->inputs.count <= d->num_inputs) vec_push (&s->inputs, aig_input (&s->graph));
    vec_push (&c->choices, s->inputs.data[d->num_inputs++]);
  }
}

// Is the group one variable with any value? Most variables are.
static bool is_single_free_variable (const canoniser *c, const aig *g) {
  return c->members.count == 1 && !c->conjuncts.count && aig_is_input (g, c->formulas.data[0].i / 2);
}

static void set_canonical_formulas_of_group (canoniser *c, simulator *s, state_builder *d) {
  parameter_values set;
  if (is_single_free_variable (c, &s->graph)) {
    make_choices (c, s, d);
    d->values.data[c->members.data[0]] = c->choices.data[0];
    return;
  }
  if (!parameters_find (&c->truth, &s->graph, c->formulas.data, c->formulas.count, c->conjuncts.data,
                        c->conjuncts.count, &set))
    return;
  make_choices (c, s, d);
  parameters_build (&s->graph, &set, c->members.count, c->choices.data, c->formulas.data);
  for (uint32_t i = 0; i < c->members.count; i++) d->values.data[c->members.data[i]] = c->formulas.data[i];
  for (uint32_t i = 0; i < d->guard.count; i++)
    // removed when the choices are numbered
    if (c->guard_group.data[i] == c->group_at_hand) d->guard.data[i] = AIG_TRUE;
}

static void set_canonical_formulas (canoniser *c, simulator *s, state_builder *d) {
  vec_clear (&c->value_group);
  vec_clear (&c->guard_group);
  for (uint32_t i = 0; i < d->values.count; i++) vec_push (&c->value_group, choice_group (c, d->values.data[i]));
  for (uint32_t i = 0; i < d->guard.count; i++) vec_push (&c->guard_group, choice_group (c, d->guard.data[i]));
  for (uint32_t i = 0; i < d->values.count; i++) {
    if (c->value_group.data[i] == BP_NONE) continue;
    collect_group (c, d, i);
    set_canonical_formulas_of_group (c, s, d);
  }
}

// ---- numbers of choices -----------------------------------------------------------------------------
// The images of unwanted inputs are never used.
static void renumber_choices (canoniser *c, simulator *s, state_builder *d) {
  const aig *g = &s->graph;
  d->num_inputs = 0;
  for (uint32_t i = 0; i < c->cone.nodes.count; i++) {
    uint32_t node = c->cone.nodes.data[i];
    if (!aig_is_input (g, node)) continue;
    bool wanted = c->wanted.data[leader_of (c, input_of (g, node))];
    cone_set (&c->cone, node, wanted ? s->inputs.data[d->num_inputs++] : (aig_lit){2 * node});
  }
  replace_by_images (c, s, d);
}

// ---- storing ----------------------------------------------------------------------------------------
static const void *copy (arena *a, const void *from, size_t bytes) {
  char *to = arena_alloc (a, bytes ? bytes : 1);
  for (size_t i = 0; i < bytes; i++) to[i] = ((const char *) from)[i];
  return to;
}

static const uint32_t *number_groups (canoniser *c, const aig_lits *list, arena *a, uint32_t *num_groups) {
  uint32_t *numbers = arena_alloc (a, sizeof *numbers * (list->count + 1));
  for (uint32_t i = 0; i < list->count; i++) {
    uint32_t group = choice_group (c, list->data[i]);
    if (group != BP_NONE && c->number.data[group] == BP_NONE) c->number.data[group] = (*num_groups)++;
    numbers[i] = group == BP_NONE ? BP_NONE : c->number.data[group];
  }
  return numbers;
}

static sym_state *store_sym_state (canoniser *c, const state_builder *d, arena *a) {
  sym_state *s = arena_zalloc (a, sizeof *s);
  s->num_threads = d->at.count, s->num_guard = d->guard.count, s->num_inputs = d->num_inputs;
  s->at = copy (a, d->at.data, sizeof *d->at.data * d->at.count);
  s->values = copy (a, d->values.data, sizeof *d->values.data * d->values.count);
  s->guard = copy (a, d->guard.data, sizeof *d->guard.data * d->guard.count);
  s->value_group = number_groups (c, &d->values, a, &s->num_groups);
  s->guard_group = number_groups (c, &d->guard, a, &s->num_groups);
  s->parent = BP_NONE;
  return s;
}

sym_state *canon (canoniser *c, simulator *s, state_builder *d, arena *a) {
  forget_dead (s->layout, d);
  while (fix_choices (c, s, d)) {}
  find_state_cone (c, &s->graph, d);
  find_choice_groups (c, s);
  drop_unwanted (c, d);
  if (!c->plain) {
    set_canonical_formulas (c, s, d);
    find_state_cone (c, &s->graph, d);
    find_choice_groups (c, s);
    mark_groups_of_variables (c, d);
  }
  renumber_choices (c, s, d);
  find_state_cone (c, &s->graph, d);
  find_choice_groups (c, s);
  return store_sym_state (c, d, a);
}

void state_builder_open (state_builder *d, const sym_state *s, const state_layout *l) {
  vec_clear (&d->at);
  vec_clear (&d->id);
  vec_clear (&d->values);
  vec_clear (&d->guard);
  for (uint32_t t = 0; t < s->num_threads; t++) {
    vec_push (&d->at, s->at[t]);
    vec_push (&d->id, t);
  }
  for (uint32_t i = 0; i < l->num_globals + s->num_threads * l->num_locals; i++) vec_push (&d->values, s->values[i]);
  for (uint32_t i = 0; i < s->num_guard; i++) vec_push (&d->guard, s->guard[i]);
  d->num_inputs = s->num_inputs;
  d->num_made = s->num_threads;
}
