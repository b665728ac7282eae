// Abstracts one step of the machine. Only predicates matter that share variables with the step, or with other
// predicates that matter: they are collected in rounds, up to a number, so that a query to the solver stays small.
#include "abstract/abstract.h"
#include "base/limits.h"
#include "encode/substitute.h"

enum { RELEVANT = 10, QUESTIONS = 600 };  // at effort 0; each further effort doubles them

void edge_release (abstract_edge *e) {
  clauses_release (&e->guard);
  clauses_release (&e->together);
  for (uint32_t k = 0; k < e->values.count; k++) clauses_release (&e->values.data[k]);
  vec_release (&e->values);
  vec_release (&e->changed);
  vec_release (&e->is_open);
}

// ---- predicates that matter -------------------------------------------------------------------------
typedef struct relevance {
  abstraction *a;
  map variables;            // variables found so far, in this order
  number_list chosen;       // predicates
  map is_chosen;            // the same as a set
  VEC (number_list) parts;  // parts of the guard: the variables of each
} relevance;

static bool has_variable (const number_list *variables, uint32_t v) {
  for (uint32_t k = 0; k < variables->count; k++)
    if (variables->data[k] == v) return true;
  return false;
}

static void take_variables (relevance *r, const number_list *variables) {
  for (uint32_t k = 0; k < variables->count; k++) map_insert (&r->variables, variables->data[k], 0, NULL);
}

static void choose_predicate (relevance *r, uint32_t predicate) {
  bool is_new;
  map_insert (&r->is_chosen, predicate, 0, &is_new);
  if (!is_new) return;
  vec_push (&r->chosen, predicate);
  take_variables (r, &r->a->predicates.all.data[predicate].variables);
}

// Chooses the predicates of the first variables before those of the others.
static void choose_nearest (relevance *r) {
  uint32_t most = (uint32_t) RELEVANT << r->a->options.effort;
  for (uint32_t i = 0; i < r->variables.entries.count; i++) {
    uint32_t v = (uint32_t) r->variables.entries.data[i].key;
    const number_list *about = &r->a->predicates.about.data[v];
    for (uint32_t k = 0; k < about->count && r->chosen.count < most; k++) choose_predicate (r, about->data[k]);
    for (uint32_t k = 0; k < r->parts.count; k++)
      if (has_variable (&r->parts.data[k], v)) take_variables (r, &r->parts.data[k]);
    if (r->chosen.count >= most) return;
  }
}

static void split_guard (relevance *r, term guard) {
  term_node n = *term_at (&r->a->m->terms, guard);
  if (n.op == IR_X_AND && n.bits == 1) {
    split_guard (r, n.arg[0]);
    split_guard (r, n.arg[1]);
    return;
  }
  number_list variables = {0};
  (void) variables_of (r->a->m, guard, &variables);
  vec_push (&r->parts, variables);
}

// Collects the predicates that matter for the value under the guard.
static void find_relevant (abstraction *a, term value, term guard, number_list *out) {
  relevance r = {.a = a};
  number_list first = {0};
  (void) variables_of (a->m, value, &first);
  take_variables (&r, &first);
  split_guard (&r, guard);
  choose_nearest (&r);
  *out = r.chosen;
  for (uint32_t k = 0; k < r.parts.count; k++) vec_release (&r.parts.data[k]);
  vec_release (&r.parts);
  map_release (&r.variables);
  map_release (&r.is_chosen);
  vec_release (&first);
}

// ---- queries ----------------------------------------------------------------------------------------
typedef struct edge_query {
  abstraction *a;
  term assumed;
  projector *projector;  // made when it is first needed
  term_list conditions;
  number_list literals;  // by condition: its literal of an edge
} edge_query;

static void question_release (edge_query *q) {
  if (q->projector) {
    q->a->questions += projector_questions (q->projector);
    projector_free (q->projector);
  }
  vec_release (&q->conditions);
  vec_release (&q->literals);
}

static void add_query_condition (edge_query *q, term t, uint32_t literal) {
  vec_push (&q->conditions, t);
  vec_push (&q->literals, literal);
}

static void clear_conditions (edge_query *q) {
  vec_clear (&q->conditions);
  vec_clear (&q->literals);
}

static void copy_clauses (const clauses *from, clauses *to) {
  for (uint32_t k = 0; k < from->ends.count; k++) {
    uint32_t begin = clauses_begin (from, k);
    clauses_add (to, from->literals.data + begin, from->ends.data[k] - begin);
  }
  to->is_whole = from->is_whole;
}

// Removes clauses that are always true: they say nothing about the step.
static void remove_tautologies (const edge_query *q, clauses *c) {
  term_pool *pool = &q->a->m->terms;
  clauses kept = {.is_whole = c->is_whole};
  decider *d = decider_new (pool, DECIDE_BY_SAT, q->a->options.budget);
  for (uint32_t k = 0; k < c->ends.count; k++) {
    term_list opposite = {0};
    uint32_t begin = clauses_begin (c, k);
    for (uint32_t i = begin; i < c->ends.data[k]; i++) {
      term t = q->conditions.data[c->literals.data[i] / 2];
      vec_push (&opposite, c->literals.data[i] & 1 ? t : term_not (pool, t));
    }
    if (decider_check (d, opposite.data, opposite.count) != DECIDED_NO)
      clauses_add (&kept, c->literals.data + begin, c->ends.data[k] - begin);
    vec_release (&opposite);
  }
  decider_free (d);
  clauses_release (c);
  *c = kept;
}

static void ask_solver (edge_query *q, bool wants_truisms, clauses *out) {
  abstraction *a = q->a;
  if (!q->projector) q->projector = projector_new (&a->m->terms, q->assumed, a->options.budget);
  project_conditions (q->projector, q->conditions.data, q->conditions.count, (uint32_t) QUESTIONS << a->options.effort,
                      out);
  a->incomplete += !out->is_whole;
  if (!wants_truisms) remove_tautologies (q, out);
}

// Computes the clauses over the numbers of the conditions.
static void answer_query (edge_query *q, bool wants_truisms, clauses *out) {
  abstraction *a = q->a;
  number_list key = {0};
  bool is_new;
  vec_push (&key, 2 * a->options.effort + wants_truisms);
  vec_push (&key, q->assumed.i);
  for (uint32_t k = 0; k < q->conditions.count; k++) vec_push (&key, q->conditions.data[k].i);
  uint32_t number = intern_add (&a->keys, key.data, sizeof *key.data * key.count, &is_new);
  vec_release (&key);
  if (is_new) {
    clauses made = {0};
    ask_solver (q, wants_truisms, &made);
    vec_push (&a->known, made);
  }
  copy_clauses (&a->known.data[number], out);
}

// Replaces numbers of conditions by literals of predicates.
static void name_literals (const edge_query *q, clauses *c) {
  for (uint32_t k = 0; k < c->literals.count; k++)
    c->literals.data[k] = q->literals.data[c->literals.data[k] / 2] | (c->literals.data[k] & 1);
}

static void add_predicates (edge_query *q, const number_list *which) {
  for (uint32_t k = 0; k < which->count; k++)
    add_query_condition (q, q->a->predicates.all.data[which->data[k]].holds, 4 * which->data[k]);
}

// ---- guards -----------------------------------------------------------------------------------------
static bool is_impossible (const clauses *c) {
  for (uint32_t k = 0; k < c->ends.count; k++)
    if (clauses_begin (c, k) == c->ends.data[k]) return true;
  return false;
}

static void abstract_guard (edge_query *q, clauses *out) {
  number_list relevant = {0};
  clear_conditions (q);
  find_relevant (q->a, q->assumed, q->assumed, &relevant);
  add_predicates (q, &relevant);
  answer_query (q, false, out);
  name_literals (q, out);
  vec_release (&relevant);
}

// ---- values -----------------------------------------------------------------------------------------
// The predicate keeps its value: two clauses say so, and no other clauses contain its new value.
static bool is_kept (const clauses *c, uint32_t predicate) {
  uint32_t found = 0, others = 0;
  for (uint32_t k = 0; k < c->ends.count; k++) {
    uint32_t begin = clauses_begin (c, k), count = c->ends.data[k] - begin;
    const uint32_t *x = c->literals.data + begin;
    bool about = false;
    for (uint32_t i = 0; i < count; i++) about |= x[i] / 2 == 2 * predicate + 1;
    if (!about) continue;
    bool both = count == 2 && x[0] / 4 == predicate && x[1] / 4 == predicate && (x[0] ^ x[1]) == 3;
    found += both, others += !both;
  }
  return found == 2 && !others;
}

// Keeps the clauses with the condition 0; the others are about the state before the step only.
static void keep_clauses_of_first (clauses *c) {
  clauses kept = {.is_whole = c->is_whole};
  for (uint32_t k = 0; k < c->ends.count; k++) {
    uint32_t begin = clauses_begin (c, k);
    for (uint32_t i = begin; i < c->ends.data[k]; i++)
      if (c->literals.data[i] / 2 == 0) {
        clauses_add (&kept, c->literals.data + begin, c->ends.data[k] - begin);
        break;
      }
  }
  clauses_release (c);
  *c = kept;
}

static void abstract_value (edge_query *q, uint32_t predicate, term after, abstract_edge *e) {
  number_list relevant = {0};
  clauses found = {0};
  clear_conditions (q);
  find_relevant (q->a, after, q->assumed, &relevant);
  add_query_condition (q, after, 4 * predicate + 2);
  add_predicates (q, &relevant);
  answer_query (q, true, &found);
  bool open = clauses_leave_open (&found, q->conditions.count, 0);
  keep_clauses_of_first (&found);
  name_literals (q, &found);
  vec_release (&relevant);
  if (is_kept (&found, predicate)) {
    clauses_release (&found);
    return;
  }
  vec_push (&e->changed, predicate);
  vec_push (&e->is_open, open);
  vec_push (&e->values, found);
}

// ---- all predicates jointly -------------------------------------------------------------------------
static void keep_clauses_of_several (clauses *c, uint32_t num_after) {
  clauses kept = {.is_whole = c->is_whole};
  for (uint32_t k = 0; k < c->ends.count; k++) {
    uint32_t begin = clauses_begin (c, k), several = 0;
    for (uint32_t i = begin; i < c->ends.data[k]; i++) several += c->literals.data[i] / 2 < num_after;
    if (several > 1) clauses_add (&kept, c->literals.data + begin, c->ends.data[k] - begin);
  }
  clauses_release (c);
  *c = kept;
}

static void abstract_jointly (edge_query *q, const term *after, abstract_edge *e) {
  number_list open = {0};
  term all = q->a->m->terms.truth;
  clear_conditions (q);
  for (uint32_t k = 0; k < e->changed.count; k++)
    if (e->is_open.data[k] && !at_limit (ABSTRACT_TOGETHER, open.count)) vec_push (&open, e->changed.data[k]);
  for (uint32_t k = 0; k < open.count; k++) {
    add_query_condition (q, after[open.data[k]], 4 * open.data[k] + 2);
    all = term_and (&q->a->m->terms, all, after[open.data[k]]);
  }
  if (open.count > 1) {
    number_list relevant = {0};
    find_relevant (q->a, all, q->assumed, &relevant);
    add_predicates (q, &relevant);
    answer_query (q, true, &e->together);
    keep_clauses_of_several (&e->together, open.count);
    name_literals (q, &e->together);
    vec_release (&relevant);
  }
  vec_release (&open);
}

// ---- steps ------------------------------------------------------------------------------------------
typedef struct changing {
  const efsm *m;
  map value;  // by variable
} changing;

static term value_after_updates (void *user, term leaf) {
  const changing *c = user;
  const uint64_t *v = map_find (&c->m->variable_of, leaf.i), *found = v ? map_find (&c->value, *v) : NULL;
  return found ? (term){(uint32_t) *found} : leaf;
}

static bool is_changed (const changing *c, const predicate *p) {
  for (uint32_t k = 0; k < p->variables.count; k++)
    if (map_find (&c->value, p->variables.data[k])) return true;
  return false;
}

void edge_predicates_after (abstraction *a, const efsm_update *updates, uint32_t count, term_list *out) {
  changing c = {.m = a->m};
  term_substitution s;
  for (uint32_t k = 0; k < count; k++) map_insert (&c.value, updates[k].variable, updates[k].value.i, NULL);
  substitution_init (&s, &a->m->terms);
  substitution_begin (&s, value_after_updates, &c);
  for (uint32_t k = 0; k < a->predicates.all.count; k++) {
    const predicate *p = &a->predicates.all.data[k];
    vec_push (out, is_changed (&c, p) ? substitute_term (&s, p->holds) : p->holds);
  }
  substitution_release (&s);
  map_release (&c.value);
}

static void abstract_values (edge_query *q, const efsm_update *updates, uint32_t count, abstract_edge *e) {
  abstraction *a = q->a;
  term_list after = {0};
  edge_predicates_after (a, updates, count, &after);
  for (uint32_t k = 0; k < a->predicates.all.count; k++)
    if (after.data[k].i != a->predicates.all.data[k].holds.i) abstract_value (q, k, after.data[k], e);
  if (a->options.kind == ABSTRACT_EXACT) abstract_jointly (q, after.data, e);
  vec_release (&after);
}

static void add_learnt (const abstraction *a, uint64_t key, clauses *to) {
  const clauses *learnt = learnt_clauses (a, key);
  if (learnt) copy_clauses (learnt, to);
}

// Does the process always end with this step? Then no requested goal can follow, and the step is not needed.
static bool exit_ends_process (abstraction *a, uint32_t step, uint32_t exit) {
  const fold_step *s = &a->steps->steps.data[step];
  for (uint32_t k = 0; k < s->updates.count; k++) {
    term over = s->updates.data[k].value;
    if (s->updates.data[k].variable != a->m->over) continue;
    if (term_is_const (&a->m->terms, over)) return term_is_true (&a->m->terms, over);
    decider *d = decider_new (&a->m->terms, DECIDE_BY_SAT, a->options.budget);
    term goes_on[] = {s->exits.data[exit].condition, term_not (&a->m->terms, over)};
    bool ends = decider_check (d, goes_on, 2) == DECIDED_NO;
    decider_free (d);
    return ends;
  }
  return false;
}

void edge_abstract (abstraction *a, uint32_t step, uint32_t exit, abstract_edge *e) {
  const fold_step *s = &a->steps->steps.data[step];
  edge_query q = {.a = a, .assumed = move_condition (a, (abstract_move){step, exit})};
  *e = (abstract_edge){0};
  abstract_guard (&q, &e->guard);
  e->is_possible = !is_impossible (&e->guard) && !exit_ends_process (a, step, exit);
  if (e->is_possible) abstract_values (&q, s->updates.data, s->updates.count, e);
  add_learnt (a, edge_key (step, exit), &e->together);
  question_release (&q);
}

void edge_abstract_goal (abstraction *a, const abstract_goal *t, clauses *guard) {
  edge_query q = {.a = a, .assumed = abstract_goal_condition (a, t)};
  abstract_guard (&q, guard);
  add_learnt (a, goal_key (t), guard);
  question_release (&q);
}

// Before the first step all variables have any values: clauses about these values are useless.
void edge_abstract_start (abstraction *a, abstract_edge *e) {
  edge_query q = {.a = a, .assumed = a->m->terms.truth};
  VEC (efsm_update) first = {0};
  *e = (abstract_edge){.is_possible = true};
  for (uint32_t v = 0; v < a->m->variables.count; v++)
    if (a->m->variables.data[v].initial.i != TERM_NONE.i)
      vec_push (&first, ((efsm_update){v, a->m->variables.data[v].initial}));
  abstract_values (&q, first.data, first.count, e);
  vec_release (&first);
  question_release (&q);
}
