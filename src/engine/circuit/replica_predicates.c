// Collects the conditions that an invariant may use besides single bits. That one word is less than another takes as
// many clauses over their bits as there are values; so comparisons that the program makes become additional bits of a
// view (like the predicates of Graf and Saidi, "Construction of abstract state graphs with PVS", 1997, but besides the
// bits instead of in their place). Where a variable gets a value, the condition that it still has this value is a
// predicate, too.
#include "base/limits.h"
#include "engine/circuit/circuit_replicas.h"

#include "encode/substitute.h"

enum { FEWER_PREDICATES = 40, ROUNDS_BACK = 2 };

typedef enum variable_occurrence {
  UNKNOWN,
  CONSTANT,
  WORDS,
  OTHERS
  // what occurs in a term: nothing; variables of tracked threads; inputs, or variables that are not tracked
} variable_occurrence;

typedef struct predicate_search {
  transition_system *s;
  uint32_t tracked;
  VEC (uint8_t) mentions;  // by term
  VEC (uint8_t) visited;   // by term
  VEC (term) work;
  uint32_t most;            // the largest number of predicates
  const efsm_point *point;  // the point whose weakest preconditions are collected
} predicate_search;

static bool is_comparison_operator (ir_expr_op op) {
  return op == IR_X_EQ || op == IR_X_NE || op == IR_X_ULT || op == IR_X_ULE || op == IR_X_SLT || op == IR_X_SLE;
}

static bool is_tracked_thread (const predicate_search *f, uint32_t thread) {
  const efsm *m = f->s->m;
  uint32_t before = 0;
  for (uint32_t t = 0; t < thread; t++) before += m->threads.data[t].crowd == m->threads.data[thread].crowd;
  return before < f->tracked;
}

static variable_occurrence of_variable (const predicate_search *f, term t) {
  const uint64_t *v = map_find (&f->s->m->variable_of, t.i);
  if (!v) return OTHERS;
  const efsm_variable *x = &f->s->m->variables.data[*v];
  return !x->names_thread && (x->crowd_thread == IR_NONE || is_tracked_thread (f, x->crowd_thread)) ? WORDS : OTHERS;
}

static variable_occurrence term_occurrence (predicate_search *f, term t) {
  while (f->mentions.count <= t.i) vec_push (&f->mentions, UNKNOWN);
  if (f->mentions.data[t.i]) return (variable_occurrence) f->mentions.data[t.i];
  const term_node n = *term_at (&f->s->m->terms, t);
  variable_occurrence all = n.op == IR_X_REG ? of_variable (f, t) : CONSTANT;
  for (unsigned k = 0; k < ir_expr_arity (n.op); k++) {
    variable_occurrence one = term_occurrence (f, n.arg[k]);
    if (one > all) all = one;
  }
  f->mentions.data[t.i] = (uint8_t) all;
  return all;
}

static void add_predicate (predicate_search *f, term condition) {
  if (f->s->predicates.count >= f->most || term_is_const (&f->s->m->terms, condition)) {
    if (f->s->predicates.count >= LIMIT_CROWD_PREDICATES) limit_met (CROWD_PREDICATES);
    return;
  }
  for (uint32_t k = 0; k < f->s->predicates.count; k++)
    if (f->s->predicates.data[k].i == condition.i) return;
  if (term_occurrence (f, condition) == WORDS) vec_push (&f->s->predicates, condition);
}

static void visit_comparison_term (predicate_search *f, term t) {
  while (f->visited.count <= t.i) vec_push (&f->visited, 0);
  if (f->visited.data[t.i]) return;
  f->visited.data[t.i] = 1;
  vec_push (&f->work, t);
}

// Collects the comparisons in the term and its operands.
static void find_comparisons (predicate_search *f, term root) {
  term_pool *p = &f->s->m->terms;
  visit_comparison_term (f, root);
  while (f->work.count) {
    term t = vec_pop (&f->work);
    const term_node n = *term_at (p, t);
    if (is_comparison_operator (n.op) && term_bits (p, n.arg[0]) >= REPLICA_WORD_BITS)
      add_predicate (f, n.op == IR_X_NE ? term_eq (p, n.arg[0], n.arg[1]) : t);
    for (unsigned k = 0; k < ir_expr_arity (n.op); k++) visit_comparison_term (f, n.arg[k]);
  }
}

// Collects the values from which a choice selects.
static void find_choice_values (predicate_search *f, term now, term next) {
  term_pool *p = &f->s->m->terms;
  const term_node n = *term_at (p, next);
  while (f->visited.count <= next.i) vec_push (&f->visited, 0);
  if (f->visited.data[next.i]) return;
  f->visited.data[next.i] = 1;
  if (n.op == IR_X_ITE) {
    find_choice_values (f, now, n.arg[1]);
    find_choice_values (f, now, n.arg[2]);
  } else if (next.i != now.i && term_occurrence (f, next) <= WORDS) add_predicate (f, term_eq (p, now, next));
}

// ---- more predicates --------------------------------------------------------------------------------
// Collects what each point assigns: a large step hides the relations between variables that hold between its points.
static void find_point_assignments (predicate_search *f) {
  efsm *m = f->s->m;
  for (uint32_t k = 0; k < m->points.count; k++)
    for (uint32_t u = 0; u < m->points.data[k].updates.count; u++) {
      const efsm_update x = m->points.data[k].updates.data[u];
      term now = m->variables.data[x.variable].now;
      if (term_bits (&m->terms, now) >= REPLICA_WORD_BITS && !term_is_const (&m->terms, x.value))
        add_predicate (f, term_eq (&m->terms, now, x.value));
    }
}

static term value_after_point (void *state, term variable) {
  const predicate_search *f = state;
  const uint64_t *v = map_find (&f->s->m->variable_of, variable.i);
  for (uint32_t k = 0; v && k < f->point->updates.count; k++)
    if (f->point->updates.data[k].variable == *v) return f->point->updates.data[k].value;
  return variable;
}

// Collects what has to hold before a point so that a predicate holds after it (weakest precondition, Dijkstra 1975).
static void add_weakest_preconditions (predicate_search *f, uint32_t first, uint32_t end) {
  efsm *m = f->s->m;
  for (uint32_t k = 0; k < m->points.count; k++) {
    term_substitution s;
    f->point = &m->points.data[k];
    if (!f->point->updates.count) continue;
    substitution_init (&s, &m->terms);
    substitution_begin (&s, value_after_point, f);
    for (uint32_t i = first; i < end; i++) add_predicate (f, substitute_term (&s, f->s->predicates.data[i]));
    substitution_release (&s);
  }
}

static bool is_tracked_word (const predicate_search *f, term t) {
  return map_find (&f->s->m->variable_of, t.i) && term_occurrence ((predicate_search *) f, t) == WORDS;
}

// Adds the comparison with the same variable of another tracked thread.
static void compare_with_twins (predicate_search *f, term a) {
  efsm *m = f->s->m;
  const efsm_variable *v = &m->variables.data[*map_find (&m->variable_of, a.i)];
  for (uint32_t k = 0; k < m->variables.count && v->twin != IR_NONE; k++) {
    const efsm_variable *w = &m->variables.data[k];
    if (w->twin == v->twin && w->crowd_thread > v->crowd_thread && is_tracked_word (f, w->now))
      add_predicate (f, term_eq (&m->terms, a, w->now));
  }
}

// Adds the order of two variables that are compared for equality, and the equality of this variable in two threads.
static void find_orders (predicate_search *f, uint32_t end) {
  term_pool *p = &f->s->m->terms;
  for (uint32_t k = 0; k < end; k++) {
    const term_node n = *term_at (p, f->s->predicates.data[k]);
    if (n.op != IR_X_EQ || !is_tracked_word (f, n.arg[0]) || !is_tracked_word (f, n.arg[1])) continue;
    add_predicate (f, term_ult (p, n.arg[0], n.arg[1]));
    add_predicate (f, term_ult (p, n.arg[1], n.arg[0]));
    compare_with_twins (f, n.arg[0]);
    compare_with_twins (f, n.arg[1]);
  }
}

static void find_more (predicate_search *f) {
  uint32_t first = 0;
  f->most = LIMIT_CROWD_PREDICATES;
  find_point_assignments (f);
  find_orders (f, f->s->predicates.count);
  for (unsigned k = 0; k < ROUNDS_BACK; k++) {
    uint32_t end = f->s->predicates.count;
    add_weakest_preconditions (f, first, end);
    first = end;
  }
}

void replicas_find_predicates (transition_system *s, uint32_t tracked, const bool *asked, bool more) {
  predicate_search f = {.s = s, .tracked = tracked, .most = FEWER_PREDICATES};
  for (uint32_t k = 0; k < s->goals.count; k++)
    if (asked[k]) find_comparisons (&f, s->goals.data[k].holds);
  for (uint32_t k = 0; k < s->states.count; k++) {
    const system_state *x = &s->states.data[k];
    if (x->variable == IR_NONE || term_bits (&s->m->terms, x->now) < REPLICA_WORD_BITS ||
        term_occurrence (&f, x->now) != WORDS)
      continue;
    for (uint32_t i = 0; i < f.visited.count; i++) f.visited.data[i] = 0;
    find_choice_values (&f, x->now, x->next);
    if (x->initial.i != TERM_NONE.i) find_choice_values (&f, x->now, x->initial);
  }
  for (uint32_t i = 0; i < f.visited.count; i++) f.visited.data[i] = 0;
  for (uint32_t k = 0; k < s->states.count; k++) find_comparisons (&f, s->states.data[k].next);
  if (more) find_more (&f);
  vec_release (&f.mentions);
  vec_release (&f.visited);
  vec_release (&f.work);
}
