// Translates formulas to automata by tableau.  A state is the set of formulas (untils, releases, and operands of a
// next) that must hold from here on; its edges are the ways in which they can, by the unfolding laws  a U b = b || (a
// && next (a U b))  and  a R b = b && (a || next (a R b)). An edge that postpones an until is marked with it, so
// acceptance lies on edges: for each until, a run must take infinitely many edges that do not postpone it (Couvreur
// 1999, section 3; the unfolding is that of Gerth, Peled, Vardi and Wolper 1995). A counter that waits for one until
// after the other turns these sets into a single set of accepting edges. On finite words an until that is still open at
// the end fails and a release holds, which is the usual semantics of LTL on finite traces.
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "logic/logic_impl.h"

// One way to satisfy a formula now: the literals that must hold, the formulas owed from the next letter on, and the
// postponed untils.
typedef struct term {
  uint64_t positive, negative, next, postponed;
} term;
typedef VEC (term) terms;

typedef struct automaton_builder {
  ltl_pool *pool;
  ltl temporal[LIMIT_FORMULA_OPERATORS];  // [0..num_temporal[, formulas that may be owed
  uint32_t num_temporal;
  ltl untils[LIMIT_FORMULA_OPERATORS];  // [0..num_untils[, those among them
  uint32_t num_untils;
  uint32_t most_states;
  bool too_large;
  intern states;  // of state_key
  buchi *out;
} automaton_builder;

typedef struct state_key {
  uint64_t owed;      // of `temporal`
  uint32_t level;     // the until that the counter waits for
  uint32_t is_start;  // owes the whole formula
} state_key;

// ---- terms -------------------------------------------------------------------------------------------

static bool covers (const term *a, const term *b) {
  return !(a->positive & ~b->positive) && !(a->negative & ~b->negative) && !(a->next & ~b->next) &&
         !(a->postponed & ~b->postponed);
}

// A term is covered by another one that requires, owes and postpones no more: the other can be taken in its place.
static void add_tableau_term (automaton_builder *b, terms *to, term t) {
  if (t.positive & t.negative) return;
  uint32_t kept = 0;
  for (uint32_t k = 0; k < to->count; k++) {
    if (covers (&to->data[k], &t)) return;
    if (!covers (&t, &to->data[k])) to->data[kept++] = to->data[k];
  }
  to->count = kept;
  if (at_limit (FORMULA_TERMS, to->count)) b->too_large = true;
  else vec_push (to, t);
}

static void add_products (automaton_builder *b, terms *to, const terms *x, const terms *y) {
  for (uint32_t i = 0; i < x->count && !b->too_large; i++)
    for (uint32_t j = 0; j < y->count; j++) {
      const term *s = &x->data[i], *t = &y->data[j];
      add_tableau_term (
          b, to,
          (term){s->positive | t->positive, s->negative | t->negative, s->next | t->next, s->postponed | t->postponed});
    }
}

static uint32_t temporal_number (automaton_builder *b, ltl f) {
  for (uint32_t k = 0; k < b->num_temporal; k++)
    if (ltl_same (b->temporal[k], f)) return k;
  if (at_limit (FORMULA_OPERATORS, b->num_temporal)) {
    b->too_large = true;
    return 0;
  }
  b->temporal[b->num_temporal] = f;
  if (ltl_at (b->pool, f)->op == LTL_UNTIL) b->untils[b->num_untils++] = f;
  return b->num_temporal++;
}

static void expand_formula (automaton_builder *, ltl, terms *out);

// right || (left && next f) for an until f, right && (left || next f) for a release.
static void expand_temporal (automaton_builder *b, ltl f, const ltl_node *n, terms *out) {
  uint32_t number = temporal_number (b, f);
  if (b->too_large) return;
  term later = {.next = UINT64_C (1) << number};
  if (n->op == LTL_UNTIL) later.postponed = later.next;
  terms left = {0}, right = {0}, put_off = {0};
  expand_formula (b, n->left, &left);
  expand_formula (b, n->right, &right);
  vec_push (&put_off, later);
  if (n->op == LTL_UNTIL) {
    for (uint32_t k = 0; k < right.count; k++) add_tableau_term (b, out, right.data[k]);
    add_products (b, out, &left, &put_off);
  } else {
    add_products (b, out, &right, &left);
    add_products (b, out, &right, &put_off);
  }
  vec_release (&left);
  vec_release (&right);
  vec_release (&put_off);
}

static void expand_boolean (automaton_builder *b, const ltl_node *n, terms *out) {
  terms left = {0}, right = {0};
  expand_formula (b, n->left, &left);
  expand_formula (b, n->right, &right);
  if (n->op == LTL_AND) add_products (b, out, &left, &right);
  else {
    for (uint32_t k = 0; k < left.count; k++) add_tableau_term (b, out, left.data[k]);
    for (uint32_t k = 0; k < right.count; k++) add_tableau_term (b, out, right.data[k]);
  }
  vec_release (&left);
  vec_release (&right);
}

static void expand_next (automaton_builder *b, ltl later, terms *out) {
  uint32_t number = temporal_number (b, later);
  if (!b->too_large) add_tableau_term (b, out, (term){.next = UINT64_C (1) << number});
}

// Adds the ways to satisfy f to `out`.
static void expand_formula (automaton_builder *b, ltl f, terms *out) {
  ltl_node n = *ltl_at (b->pool, f);
  uint64_t bit = UINT64_C (1) << (n.atom & 63);
  if (b->too_large) return;
  switch ((ltl_op) n.op) {
  case LTL_FALSE: return;
  case LTL_TRUE: add_tableau_term (b, out, (term){0}); return;
  case LTL_LITERAL: add_tableau_term (b, out, n.negated ? (term){.negative = bit} : (term){.positive = bit}); return;
  case LTL_AND:
  case LTL_OR: expand_boolean (b, &n, out); return;
  case LTL_NEXT: expand_next (b, n.left, out); return;
  case LTL_UNTIL:
  case LTL_RELEASE: expand_temporal (b, f, &n, out); return;
  }
}

static void expand_set (automaton_builder *b, uint64_t owed, terms *out) {
  vec_push (out, (term){0});
  for (uint32_t k = 0; k < b->num_temporal && !b->too_large; k++) {
    if (!(owed >> k & 1)) continue;
    terms one = {0}, both = {0};
    expand_formula (b, b->temporal[k], &one);
    add_products (b, &both, out, &one);
    vec_release (&one);
    vec_release (out);
    *out = both;
  }
}

// ---- states ------------------------------------------------------------------------------------------

static uint64_t until_bit (automaton_builder *b, ltl f) { return UINT64_C (1) << temporal_number (b, f); }

static uint32_t state_number (automaton_builder *b, state_key key) {
  bool is_new;
  uint32_t number = intern_add (&b->states, &key, sizeof key, &is_new);
  if (number >= b->most_states) b->too_large = limit_met (AUTOMATON_STATES);
  return number;
}

// Returns the counter after an edge that postpones `postponed`; *passed: the counter has passed all untils.
static uint32_t next_level (automaton_builder *b, uint32_t level, uint64_t postponed, bool *passed) {
  while (level < b->num_untils && !(until_bit (b, b->untils[level]) & postponed)) level++;
  *passed = level == b->num_untils;
  return *passed ? 0 : level;
}

static void add_edges (automaton_builder *b, const state_key *from, const terms *ways) {
  for (uint32_t k = 0; k < ways->count && !b->too_large; k++) {
    const term *t = &ways->data[k];
    buchi_edge e = {.positive = t->positive, .negative = t->negative};
    uint32_t level = next_level (b, from->level, t->postponed, &e.accepting);
    e.target = state_number (b, (state_key){.owed = t->next, .level = level});
    vec_push (&b->out->edges, e);
  }
}

static bool owes_until (automaton_builder *b, uint64_t owed) {
  for (uint32_t k = 0; k < b->num_untils; k++)
    if (owed & until_bit (b, b->untils[k])) return true;
  return false;
}

static void add_automaton_state (automaton_builder *b, uint32_t number, ltl whole) {
  state_key key;
  memcpy (&key, intern_get (&b->states, number, NULL), sizeof key);
  terms ways = {0};
  if (key.is_start) expand_formula (b, whole, &ways);
  else expand_set (b, key.owed, &ways);
  buchi_state s = {.first_edge = b->out->edges.count,
                   .final = !key.is_start && !owes_until (b, key.owed),
                   .settled = !key.is_start && !key.owed};
  add_edges (b, &key, &ways);
  s.num_edges = b->out->edges.count - s.first_edge;
  vec_push (&b->out->states, s);
  vec_release (&ways);
}

// The counter needs all untils before it starts: one pass over the formula collects them.
static void find_temporal (automaton_builder *b, ltl f) {
  ltl_node n = *ltl_at (b->pool, f);
  if (n.op <= LTL_LITERAL || b->too_large) return;
  if (n.op == LTL_UNTIL || n.op == LTL_RELEASE) temporal_number (b, f);
  if (n.op == LTL_NEXT) temporal_number (b, n.left);
  find_temporal (b, n.left);
  if (n.op != LTL_NEXT) find_temporal (b, n.right);
}

bool buchi_build (buchi *out, ltl_pool *pool, ltl f, uint32_t most_states) {
  *out = (buchi){0};
  automaton_builder b = {.pool = pool, .most_states = most_states, .out = out};
  find_temporal (&b, f);
  state_number (&b, (state_key){.is_start = 1});
  for (uint32_t k = 0; k < intern_count (&b.states) && !b.too_large; k++) add_automaton_state (&b, k, f);
  intern_release (&b.states);
  if (b.too_large) buchi_release (out);
  else buchi_reduce (out);
  return !b.too_large;
}

void buchi_release (buchi *b) {
  vec_release (&b->states);
  vec_release (&b->edges);
}
