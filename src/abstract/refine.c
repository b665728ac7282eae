// Learns predicates from a path that the machine cannot execute. From the last condition backwards the weakest
// preconditions of all conditions so far are computed, one for each, until they contradict each other: what comes
// before does not matter (Ball and Rajamani 2002, "Generating abstract explanations of spurious counterexamples in C
// programs", which also uses no interpolation). The atoms of the preconditions in the contradiction become
// predicates, at every point between.
#include "abstract/abstract.h"
#include "base/diag.h"
#include "encode/substitute.h"

enum { CLOSED_ATOMS = 40 };  // up to this number of new predicates their preconditions are added, too

typedef struct precondition_search {
  abstraction *a;
  const fold_step *step;  // the step whose precondition is computed
  uint32_t num_terms;     // size of the pool before: later variables are inputs of later moves
  map *inputs;
  VEC (term_list) at;  // by point of the path, the last first: weakest preconditions, that of the last condition first
  decider *decider;
} precondition_search;

static const efsm_update *variable_update (const fold_step *s, uint32_t variable) {
  for (uint32_t k = 0; s && k < s->updates.count; k++)
    if (s->updates.data[k].variable == variable) return &s->updates.data[k];
  return NULL;
}

// Gives the inputs of this move variables of their own.
static term own_input (precondition_search *b, term leaf) {
  bool is_new;
  if (leaf.i >= b->num_terms) return leaf;
  uint64_t *input = map_insert (b->inputs, leaf.i, 0, &is_new);
  if (is_new) *input = term_var (&b->a->m->terms, term_bits (&b->a->m->terms, leaf)).i;
  return (term){(uint32_t) *input};
}

static term rename_move_input (void *user, term leaf) {
  precondition_search *b = user;
  return map_find (&b->a->m->variable_of, leaf.i) ? leaf : own_input (b, leaf);
}

typedef struct renaming {
  precondition_search *b;
  term_substitution names;
} renaming;

static term value_before_step (void *user, term leaf) {
  renaming *r = user;
  const uint64_t *v = map_find (&r->b->a->m->variable_of, leaf.i);
  const efsm_update *u = v ? variable_update (r->b->step, (uint32_t) *v) : NULL;
  return u ? substitute_term (&r->names, u->value) : leaf;
}

static term path_condition (abstraction *a, const abstract_path *p, uint32_t k) {
  if (k == p->moves.count) return abstract_goal_condition (a, &p->end);
  return move_condition (a, p->moves.data[k]);
}

// Computes the preconditions at the point before move k, from those after it.
static void add_preconditions (precondition_search *b, const abstract_path *p, uint32_t k, bool is_last) {
  term_list now = {0};
  map inputs = {0};
  renaming r = {.b = b};
  term_substitution through;
  term condition = path_condition (b->a, p, k);
  b->inputs = &inputs;
  b->step = is_last ? NULL : &b->a->steps->steps.data[p->moves.data[k].step];
  substitution_init (&r.names, &b->a->m->terms);
  substitution_init (&through, &b->a->m->terms);
  substitution_begin (&r.names, rename_move_input, b);
  substitution_begin (&through, value_before_step, &r);
  for (uint32_t i = 0; b->at.count && i < vec_last (&b->at).count; i++)
    vec_push (&now, substitute_term (&through, vec_last (&b->at).data[i]));
  vec_push (&now, substitute_term (&r.names, condition));
  substitution_release (&r.names);
  substitution_release (&through);
  map_release (&inputs);
  vec_push (&b->at, now);
}

// At the beginning the variables have their initial values.
static term first_value (void *user, term leaf) {
  precondition_search *b = user;
  const uint64_t *v = map_find (&b->a->m->variable_of, leaf.i);
  term initial = v ? b->a->m->variables.data[*v].initial : TERM_NONE;
  return initial.i == TERM_NONE.i ? leaf : initial;
}

static void go_to_start (precondition_search *b) {
  term_list now = {0};
  term_substitution s;
  substitution_init (&s, &b->a->m->terms);
  substitution_begin (&s, first_value, b);
  for (uint32_t i = 0; i < vec_last (&b->at).count; i++)
    vec_push (&now, substitute_term (&s, vec_last (&b->at).data[i]));
  substitution_release (&s);
  vec_push (&b->at, now);
}

static bool contradict (precondition_search *b) {
  const term_list *now = &vec_last (&b->at);
  return decider_check (b->decider, now->data, now->count) == DECIDED_NO;
}

// Explains a predicate, with -v.
static void explain_predicate (const precondition_search *b, uint32_t place, uint32_t number) {
  strbuf text = {0};
  term_print (b->a->m, b->at.data[place].data[number], &text);
  diag_verbose (3, "boolean", "  %u places before the end, condition %u from the end: %s", place, number,
                strbuf_text (&text));
  strbuf_release (&text);
}

// Adds the atoms of the needed conditions, at all points.
static uint32_t add_atoms_of_path (precondition_search *b) {
  uint32_t added = 0;
  for (uint32_t i = 0; i < vec_last (&b->at).count; i++) {
    if (!decider_in_core (b->decider, i)) continue;
    for (uint32_t k = 0; k < b->at.count; k++) {
      if (i >= b->at.data[k].count) continue;
      if (diag_verbosity () > 2) explain_predicate (b, k, i);
      added += predicates_add (&b->a->predicates, b->at.data[k].data[i]);
    }
  }
  return added;
}

// Adds the preconditions of new predicates on one variable by the steps that change it, if these are about one variable
// again: otherwise every other thread that writes the variable would leave the predicate open.
static void close_under_steps (abstraction *a, uint32_t from) {
  uint32_t to = a->predicates.all.count;
  for (uint32_t s = 0; s < a->steps->steps.count; s++) {
    const fold_step *step = &a->steps->steps.data[s];
    term_list after = {0};
    edge_predicates_after (a, step->updates.data, step->updates.count, &after);
    for (uint32_t k = from; k < to; k++) {
      number_list variables = {0};
      if (after.data[k].i != a->predicates.all.data[k].holds.i && a->predicates.all.data[k].variables.count == 1 &&
          variables_of (a->m, after.data[k], &variables) && variables.count == 1)
        predicates_add (&a->predicates, after.data[k]);
      vec_release (&variables);
    }
    vec_release (&after);
  }
}

uint32_t refine_predicates (abstraction *a, const abstract_path *p, uint32_t length) {
  precondition_search b = {.a = a};
  uint32_t added = 0;
  bool found = false;
  for (uint32_t k = 0; k < length; k++) path_condition (a, p, k);
  b.num_terms = a->m->terms.nodes.count;
  b.decider = decider_new (&a->m->terms, DECIDE_BY_SAT, a->options.budget);
  for (uint32_t k = length; k-- > 0 && !found;) {
    add_preconditions (&b, p, k, k + 1 == length);
    found = contradict (&b);
  }
  if (!found) {
    go_to_start (&b);
    found = contradict (&b);
  }
  uint32_t first = a->predicates.all.count;
  if (found && add_atoms_of_path (&b) <= CLOSED_ATOMS) close_under_steps (a, first);
  added = a->predicates.all.count - first;
  decider_free (b.decider);
  for (uint32_t k = 0; k < b.at.count; k++) vec_release (&b.at.data[k]);
  vec_release (&b.at);
  return added;
}
