// Can the machine execute a path of the abstraction? The steps of the path are executed symbolically, on terms: values
// that are constant at the beginning stay constant as long as possible.
#include "abstract/abstract.h"
#include "encode/substitute.h"

static term value_now (void *user, term leaf) {
  path_check *c = user;
  const uint64_t *v = map_find (&c->a->m->variable_of, leaf.i);
  if (v) return c->value.data[*v];
  bool is_new;
  uint64_t *input = map_insert (&vec_last (&c->inputs), leaf.i, 0, &is_new);
  if (is_new) *input = term_var (&c->a->m->terms, term_bits (&c->a->m->terms, leaf)).i;
  return (term){(uint32_t) *input};
}

static void start_path_check (path_check *c) {
  efsm *m = c->a->m;
  for (uint32_t v = 0; v < m->variables.count; v++) {
    term initial = m->variables.data[v].initial;
    if (initial.i == TERM_NONE.i) initial = term_var (&m->terms, term_bits (&m->terms, m->variables.data[v].now));
    vec_push (&c->value, initial);
    vec_push (&c->start, initial);
  }
}

static void begin_move (path_check *c, term_substitution *s) {
  vec_push (&c->inputs, ((map){0}));
  substitution_begin (s, value_now, c);
}

static void make_move (path_check *c, term_substitution *s, abstract_move move) {
  const fold_step *step = &c->a->steps->steps.data[move.step];
  term_list next = {0};
  begin_move (c, s);
  vec_push (&c->conditions, substitute_term (s, move_condition (c->a, move)));
  for (uint32_t k = 0; k < step->updates.count; k++) vec_push (&next, substitute_term (s, step->updates.data[k].value));
  for (uint32_t k = 0; k < step->updates.count; k++) c->value.data[step->updates.data[k].variable] = next.data[k];
  vec_release (&next);
}

static void unroll (path_check *c, const abstract_path *p) {
  term_substitution s;
  abstract_goal_condition (c->a, &p->end);  // this term must be older than the substitution
  substitution_init (&s, &c->a->m->terms);
  start_path_check (c);
  for (uint32_t k = 0; k < p->moves.count; k++) make_move (c, &s, p->moves.data[k]);
  begin_move (c, &s);
  vec_push (&c->conditions, substitute_term (&s, abstract_goal_condition (c->a, &p->end)));
  substitution_release (&s);
}

// Finds the shortest prefix of the conditions that is contradictory.
static uint32_t shortest_prefix (path_check *c) {
  for (uint32_t n = 1; n < c->conditions.count; n++)
    if (decider_check (c->decider, c->conditions.data, n) != DECIDED_YES) return n;
  return c->conditions.count;
}

path_answer path_decide (path_check *c, abstraction *a, const abstract_path *p) {
  *c = (path_check){.a = a};
  unroll (c, p);
  c->decider = decider_new (&a->m->terms, DECIDE_BY_SAT, a->options.budget);
  decided d = decider_check (c->decider, c->conditions.data, c->conditions.count);
  if (d == DECIDED_STOPPED) return PATH_STOPPED;
  if (d == DECIDED_YES) return PATH_IS_REAL;
  c->length = shortest_prefix (c);
  return budget_spent (a->options.budget) ? PATH_STOPPED : PATH_IS_NOT;
}

void path_check_release (path_check *c) {
  decider_free (c->decider);
  for (uint32_t k = 0; k < c->inputs.count; k++) map_release (&c->inputs.data[k]);
  vec_release (&c->inputs);
  vec_release (&c->value);
  vec_release (&c->start);
  vec_release (&c->conditions);
}

ir_value path_start_value (path_check *c, uint32_t variable) {
  return decider_value (c->decider, c->start.data[variable]);
}

// An input that no condition contains may have any value.
ir_value path_input_value (path_check *c, uint32_t move, term input) {
  const uint64_t *t = map_find (&c->inputs.data[move], input.i);
  return t ? decider_value (c->decider, (term){(uint32_t) *t}) : 0;
}

bool path_is_exact (const path_check *c) { return decider_is_exact (c->decider); }
