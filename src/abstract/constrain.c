// Learns clauses that exclude steps which the abstraction only has because it is not exact. A path comes with the
// valuations of the predicates between its moves; where the step cannot lead from one valuation to the next, the
// literals that the solver needs to see that become a clause of this step (Das and Dill 2001, "Successive approximation
// of abstract transition relations"). So a cartesian abstraction becomes as precise as necessary, only where necessary,
// with all predicates in view.
#include "abstract/abstract.h"
#include "encode/substitute.h"

enum { SHORT_CORE = 30 };

typedef struct step_constraints {
  abstraction *a;
  decider *decider;
  number_list literals;  // literals of an edge
  term_list terms;       // the conditions that they stand for
} step_constraints;

static void constraining_release (step_constraints *c) {
  decider_free (c->decider);
  vec_release (&c->literals);
  vec_release (&c->terms);
}

static void add_literals (step_constraints *c, const term_list *conditions, const bool *valuation, uint32_t after) {
  for (uint32_t k = 0; k < conditions->count; k++) {
    term t = conditions->data[k];
    if (term_is_const (&c->a->m->terms, t) && term_is_true (&c->a->m->terms, t) == valuation[k]) continue;
    vec_push (&c->literals, 4 * k + after + !valuation[k]);
    vec_push (&c->terms, valuation[k] ? t : term_not (&c->a->m->terms, t));
  }
}

static void keep_core_literals (step_constraints *c) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < c->literals.count; k++) {
    if (!decider_in_core (c->decider, k)) continue;
    c->literals.data[kept] = c->literals.data[k];
    c->terms.data[kept++] = c->terms.data[k];
  }
  c->literals.count = c->terms.count = kept;
}

// Drops one literal after the other, as long as the rest is still impossible.
static void shorten_step_clause (step_constraints *c) {
  for (uint32_t i = 0; i < c->literals.count && c->literals.count <= SHORT_CORE;) {
    uint32_t literal = c->literals.data[i], last = c->literals.count - 1;
    term t = c->terms.data[i];
    c->literals.data[i] = c->literals.data[last], c->terms.data[i] = c->terms.data[last];
    c->literals.count = c->terms.count = last;
    if (decider_check (c->decider, c->terms.data, c->terms.count) == DECIDED_NO) continue;
    vec_push (&c->literals, literal);
    vec_push (&c->terms, t);
    uint32_t k = c->literals.count - 1;
    c->literals.data[k] = c->literals.data[i], c->terms.data[k] = c->terms.data[i];
    c->literals.data[i] = literal, c->terms.data[i] = t;
    i++;
  }
}

static clauses *learnt_at (abstraction *a, uint64_t key) {
  bool is_new;
  uint64_t *number = map_insert (&a->learnt_of, key, a->learnt.count, &is_new);
  if (is_new) vec_push (&a->learnt, ((clauses){0}));
  return &a->learnt.data[*number];
}

const clauses *learnt_clauses (const abstraction *a, uint64_t key) {
  const uint64_t *number = map_find (&a->learnt_of, key);
  return number ? &a->learnt.data[*number] : NULL;
}

// Returns true if the literals contradict each other, and the clause is new.
static bool learn_step_clause (step_constraints *c, uint64_t key) {
  if (decider_check (c->decider, c->terms.data, c->terms.count) != DECIDED_NO) return false;
  keep_core_literals (c);
  shorten_step_clause (c);
  for (uint32_t k = 0; k < c->literals.count; k++) c->literals.data[k] ^= 1;
  clauses_add (learnt_at (c->a, key), c->literals.data, c->literals.count);
  return true;
}

static void predicates_before (abstraction *a, term_list *out) {
  for (uint32_t k = 0; k < a->predicates.all.count; k++) vec_push (out, a->predicates.all.data[k].holds);
}

static bool constrain_move (abstraction *a, abstract_move move, const bool *before, const bool *after) {
  step_constraints c = {.a = a};
  const fold_step *s = &a->steps->steps.data[move.step];
  term condition = move_condition (a, move);
  term_list now = {0}, next = {0};
  predicates_before (a, &now);
  edge_predicates_after (a, s->updates.data, s->updates.count, &next);
  c.decider = decider_new (&a->m->terms, DECIDE_BY_SAT, a->options.budget);
  decider_assert (c.decider, condition);
  add_literals (&c, &next, after, 2);
  add_literals (&c, &now, before, 0);
  bool learnt = learn_step_clause (&c, edge_key (move.step, move.exit));
  vec_release (&now);
  vec_release (&next);
  constraining_release (&c);
  return learnt;
}

static bool constrain_end (abstraction *a, const abstract_goal *t, const bool *before) {
  step_constraints c = {.a = a};
  term condition = abstract_goal_condition (a, t);
  term_list now = {0};
  predicates_before (a, &now);
  c.decider = decider_new (&a->m->terms, DECIDE_BY_SAT, a->options.budget);
  decider_assert (c.decider, condition);
  add_literals (&c, &now, before, 0);
  bool learnt = learn_step_clause (&c, goal_key (t));
  vec_release (&now);
  constraining_release (&c);
  return learnt;
}

uint32_t constrain_steps (abstraction *a, const abstract_path *p, uint32_t length) {
  uint32_t learnt = 0, count = a->predicates.all.count;
  const bool *values = p->valuations.data;
  for (uint32_t k = 0; k < p->moves.count && k < length; k++, values += 2 * count)
    learnt += constrain_move (a, p->moves.data[k], values, values + count);
  return learnt + (length > p->moves.count && constrain_end (a, &p->end, values));
}
