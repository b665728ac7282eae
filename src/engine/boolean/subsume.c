// Decides subsumption as a formula with two quantifiers. The old states are the product of the sets of values of the
// groups of the old symbolic state, since groups share no choices; so there is one query for each group.
//
// Equation 3 of the paper, `inputs`: for all choices of the new state that satisfy its guard there are choices of the
// old one that satisfy its guard and give the variables the same values. Equation 4 quantifies the values of the
// variables first, `state`. As printed it requires *some* choices of the new state for each value, and may take those
// that do not satisfy the guard: of x = i with guard i | j, a value with j = 0 is missed. This file requires it for all
// of them:
//
//   for all x and all choices of the new state: guard and x = new values
//   ->  there are choices of the old state: guard and x = old values
//
// A choice of the old state that is the value of a variable has no freedom left: it is that value. In programs that
// choose values for their variables this leaves few existentials or none.
#include "engine/boolean/subsume.h"

#include "base/diag.h"

void subsumption_release (subsumption *s) {
  cone_release (&s->of_new);
  cone_release (&s->of_old);
  vec_release (&s->needed_groups);
}

typedef struct group_pair {
  subsumption *s;
  const sym_state *old, *fresh;
  uint32_t num_values;
  uint32_t group;  // of the old state; BP_NONE: the variables that are constant there
} group_pair;

static bool is_in_group (const group_pair *p, uint32_t value) { return p->old->value_group[value] == p->group; }

// ---- groups without a query -------------------------------------------------------------------------
static bool has_conjunct (const sym_state *s, aig_lit x) {
  for (uint32_t i = 0; i < s->num_guard; i++)
    if (s->guard[i].i == x.i) return true;
  return false;
}

// Are both groups equal, so that the same choices do?
static bool is_equal_group (const group_pair *p) {
  for (uint32_t v = 0; v < p->num_values; v++)
    if (is_in_group (p, v) && p->old->values[v].i != p->fresh->values[v].i) return false;
  for (uint32_t i = 0; i < p->old->num_guard; i++)
    if (p->old->guard_group[i] == p->group && !has_conjunct (p->fresh, p->old->guard[i])) return false;
  return true;
}

static bool is_other_constant (const group_pair *p) {
  for (uint32_t v = 0; v < p->num_values; v++)
    if (p->old->values[v].i < 2 && p->fresh->values[v].i == (p->old->values[v].i ^ 1)) return true;
  return false;
}

// ---- the new state ----------------------------------------------------------------------------------
static bool is_needed_conjunct (const group_pair *p, uint32_t conjunct) {
  return p->s->needed_groups.data[p->fresh->guard_group[conjunct]];
}

static void find_needed_groups (const group_pair *p) {
  vec_clear (&p->s->needed_groups);
  for (uint32_t g = 0; g < p->fresh->num_groups; g++) vec_push (&p->s->needed_groups, false);
  for (uint32_t v = 0; v < p->num_values; v++)
    if (is_in_group (p, v) && p->fresh->value_group[v] != BP_NONE)
      p->s->needed_groups.data[p->fresh->value_group[v]] = true;
}

// Copies the new state; returns the number of its choices.
static uint32_t copy_new (const group_pair *p, qbf *q) {
  cone *c = &p->s->of_new;
  const aig *g = p->s->graph;
  uint32_t count = 0;
  cone_begin (c, g);
  for (uint32_t v = 0; v < p->num_values; v++)
    if (is_in_group (p, v)) cone_add (c, g, p->fresh->values[v]);
  for (uint32_t i = 0; i < p->fresh->num_guard; i++)
    if (is_needed_conjunct (p, i)) cone_add (c, g, p->fresh->guard[i]);
  for (uint32_t i = 0; i < c->nodes.count; i++) {
    if (!aig_is_input (g, c->nodes.data[i])) continue;
    cone_set (c, c->nodes.data[i], qbf_universal (q));
    count++;
  }
  cone_copy (c, g, &q->graph);
  return count;
}

static aig_lit new_guard (const group_pair *p, qbf *q) {
  aig_lit all = AIG_TRUE;
  for (uint32_t i = 0; i < p->fresh->num_guard; i++)
    if (is_needed_conjunct (p, i)) all = aig_and (&q->graph, all, cone_image (&p->s->of_new, p->fresh->guard[i]));
  return all;
}

// ---- the old state ----------------------------------------------------------------------------------
// by value: the value that the old state has to reach; those of other groups are false
typedef VEC (aig_lit) target_values;

// Copies the old state. Its inputs have images: values that they must have, or existentials.
static void copy_old (const group_pair *p, const target_values *t) {
  cone *c = &p->s->of_old;
  const aig *g = p->s->graph;
  cone_begin (c, g);
  for (uint32_t v = 0; v < p->num_values; v++)
    if (is_in_group (p, v)) cone_add (c, g, p->old->values[v]);
  for (uint32_t i = 0; i < p->old->num_guard; i++)
    if (p->old->guard_group[i] == p->group) cone_add (c, g, p->old->guard[i]);
  for (uint32_t i = 0; i < c->nodes.count; i++) cone_set (c, c->nodes.data[i], AIG_FALSE);
  for (uint32_t v = p->num_values; v-- > 0;) {
    aig_lit x = p->old->values[v];
    if (is_in_group (p, v) && x.i > 1 && aig_is_input (g, x.i / 2))
      cone_set (c, x.i / 2, (aig_lit){t->data[v].i ^ (x.i & 1)});
  }
}

static bool is_determined (const group_pair *p, uint32_t node) {
  for (uint32_t v = 0; v < p->num_values; v++)
    if (is_in_group (p, v) && p->old->values[v].i / 2 == node) return true;
  return false;
}

static void free_choices (const group_pair *p, qbf *q) {
  cone *c = &p->s->of_old;
  for (uint32_t i = 0; i < c->nodes.count; i++) {
    uint32_t node = c->nodes.data[i];
    if (aig_is_input (p->s->graph, node) && !is_determined (p, node)) cone_set (c, node, qbf_existential (q));
  }
  cone_copy (c, p->s->graph, &q->graph);
}

static aig_lit reaches_targets (const group_pair *p, qbf *q, const target_values *t) {
  aig_lit all = AIG_TRUE;
  copy_old (p, t);
  free_choices (p, q);
  for (uint32_t i = 0; i < p->old->num_guard; i++)
    if (p->old->guard_group[i] == p->group)
      all = aig_and (&q->graph, all, cone_image (&p->s->of_old, p->old->guard[i]));
  for (uint32_t v = 0; v < p->num_values; v++) {
    if (!is_in_group (p, v)) continue;
    aig_lit differs = aig_xor (&q->graph, cone_image (&p->s->of_old, p->old->values[v]), t->data[v]);
    all = aig_and (&q->graph, all, aig_not (differs));
  }
  return all;
}

// ---- the query --------------------------------------------------------------------------------------
// Computes the targets; with state bits in between, *premise also says what these are.
static void set_targets (const group_pair *p, qbf *q, bool by_state, target_values *t, aig_lit *premise) {
  for (uint32_t v = 0; v < p->num_values; v++) {
    if (!is_in_group (p, v)) {
      vec_push (t, AIG_FALSE);
      continue;
    }
    aig_lit value = cone_image (&p->s->of_new, p->fresh->values[v]), x = by_state ? qbf_universal (q) : value;
    if (by_state) *premise = aig_and (&q->graph, *premise, aig_not (aig_xor (&q->graph, x, value)));
    vec_push (t, x);
  }
}

static uint32_t count_values (const group_pair *p) {
  uint32_t count = 0;
  for (uint32_t v = 0; v < p->num_values; v++) count += is_in_group (p, v);
  return count;
}

static bool answers_differ (sat_answer a, sat_answer b) { return a != SAT_STOPPED && b != SAT_STOPPED && a != b; }

// For a comparison of the solvers all of them are asked, whether needed or not.
static sat_answer decide_qbf (subsumption *s, qbf *q) {
  sat_answer table = SAT_STOPPED;
  bool known = s->solver != QBF_DEPQBF && qbf_decide_by_table (q, &table);
  if (known) s->by_table++;
  if (known && s->solver == QBF_OWN) return table;
  sat_answer own = s->solver != QBF_DEPQBF ? qbf_decide (q, s->budget, &s->rounds) : SAT_STOPPED,
             other = s->solver != QBF_OWN ? qbf_decide_by_depqbf (q, s->budget) : SAT_STOPPED;
  s->disagreed |= s->solver == QBF_BOTH && (answers_differ (own, other) || answers_differ (own, table));
  if (s->disagreed) return SAT_STOPPED;
  return s->solver == QBF_DEPQBF ? other : own;
}

static sat_answer query_groups (const group_pair *p) {
  qbf q;
  target_values t = {0};
  qbf_init (&q);
  find_needed_groups (p);
  uint32_t choices = copy_new (p, &q);
  bool by_state = p->s->form == QBF_STATE || (p->s->form == QBF_AUTO && count_values (p) < choices);
  aig_lit premise = new_guard (p, &q);
  set_targets (p, &q, by_state, &t, &premise);
  aig_lit conclusion = reaches_targets (p, &q, &t);
  q.matrix = aig_or (&q.graph, aig_not (premise), conclusion);
  p->s->asked[by_state ? QBF_STATE : QBF_INPUTS]++;
  sat_answer a = decide_qbf (p->s, &q);
  vec_release (&t);
  qbf_release (&q);
  return a;
}

sat_answer subsumes (subsumption *s, const sym_state *old, const sym_state *fresh) {
  const state_layout *l = s->layout;
  group_pair p = {
      .s = s, .old = old, .fresh = fresh, .num_values = l->num_globals + fresh->num_threads * l->num_locals};
  if (is_other_constant (&p)) return SAT_NO;
  for (uint32_t g = 0; g <= old->num_groups; g++) {
    p.group = g ? g - 1 : BP_NONE;
    if (is_equal_group (&p)) continue;
    sat_answer a = query_groups (&p);
    if (a != SAT_YES) return a;
  }
  return SAT_YES;
}
