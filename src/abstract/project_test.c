// Compares with enumeration: for random conditions on two small variables, the clauses admit exactly the possible
// valuations, and with few queries at least these.
#include "abstract/project.h"

#include "base/rng.h"
#include "base/test.h"
#include "encode/evaluate.h"

enum { BITS = 3, NUM_CONDITIONS = 5 };

static const budget no_limit = {0};

typedef struct sample {
  term_pool pool;
  term x, y, assumed, condition[NUM_CONDITIONS];
  uint64_t at;  // values of both
  rng rng;
} sample;

static term random_word (sample *s) {
  term c = term_const (&s->pool, BITS, rng_below (&s->rng, 1 << BITS));
  switch (rng_below (&s->rng, 4)) {
  case 0: return s->x;
  case 1: return s->y;
  case 2: return term_add (&s->pool, s->x, s->y);
  default: return term_add (&s->pool, rng_below (&s->rng, 2) ? s->x : s->y, c);
  }
}

static term random_condition (sample *s) {
  term a = random_word (s),
       b = rng_below (&s->rng, 2) ? random_word (s) : term_const (&s->pool, BITS, rng_below (&s->rng, 1 << BITS));
  return rng_below (&s->rng, 2) ? term_eq (&s->pool, a, b) : term_ult (&s->pool, a, b);
}

static void sample_init (sample *s, uint64_t seed) {
  *s = (sample){.rng = {seed}};
  term_pool_init (&s->pool);
  s->x = term_var (&s->pool, BITS), s->y = term_var (&s->pool, BITS);
  s->assumed = rng_below (&s->rng, 3) ? random_condition (s) : s->pool.truth;
  for (uint32_t k = 0; k < NUM_CONDITIONS; k++) s->condition[k] = random_condition (s);
}

static bool value_of (void *state, term t, ir_value *v) {
  const sample *s = state;
  *v = t.i == s->x.i ? s->at % (1 << BITS) : s->at >> BITS;
  return term_at (&s->pool, t)->op == IR_X_REG;
}

// Bit v: the conditions can have the values v.
static uint32_t possible (sample *s) {
  evaluator e = {.pool = &s->pool, .leaf_value = value_of, .state = s};
  uint32_t set = 0;
  for (s->at = 0; s->at < 1 << 2 * BITS; s->at++) {
    uint32_t v = 0;
    evaluator_forget (&e);
    for (uint32_t k = 0; k < NUM_CONDITIONS; k++) v |= (uint32_t) evaluate_term (&e, s->condition[k]) << k;
    if (evaluate_term (&e, s->assumed)) set |= 1u << v;
  }
  evaluator_release (&e);
  return set;
}

static bool satisfied (const clauses *c, uint32_t valuation) {
  for (uint32_t k = 0; k < c->ends.count; k++) {
    bool any = false;
    for (uint32_t i = clauses_begin (c, k); i < c->ends.data[k]; i++)
      any |= (valuation >> c->literals.data[i] / 2 & 1) != (c->literals.data[i] & 1);
    if (!any) return false;
  }
  return true;
}

static uint32_t admitted (const clauses *c) {
  uint32_t set = 0;
  for (uint32_t v = 0; v < 1 << NUM_CONDITIONS; v++)
    if (satisfied (c, v)) set |= 1u << v;
  return set;
}

static uint32_t projection (sample *s, uint32_t questions, bool *whole) {
  clauses c = {0};
  projector *p = projector_new (&s->pool, s->assumed, &no_limit);
  project_conditions (p, s->condition, NUM_CONDITIONS, questions, &c);
  uint32_t set = admitted (&c);
  *whole = c.is_whole;
  clauses_release (&c);
  projector_free (p);
  return set;
}

static void clauses_are_what_is_possible (void **state) {
  (void) state;
  for (uint64_t seed = 1; seed <= 150; seed++) {
    sample s;
    bool whole;
    sample_init (&s, seed);
    uint32_t expected = possible (&s);
    assert_int_equal (projection (&s, 10000, &whole), expected);
    assert_true (whole);
    uint32_t rough = projection (&s, (uint32_t) seed % 12, &whole);
    assert_int_equal (rough & expected, expected);
    if (whole) assert_int_equal (rough, expected);
    term_pool_release (&s.pool);
  }
}

// x' or (not y): both values of x' are possible where y is true.
static void a_choice_is_needed_where_both_values_are_left (void **state) {
  (void) state;
  clauses c = {0};
  clauses_add (&c, (uint32_t[]){0, 3}, 2);
  assert_true (clauses_leave_open (&c, 2, 0));
  clauses_add (&c, (uint32_t[]){1, 2}, 2);
  assert_false (clauses_leave_open (&c, 2, 0));
  clauses_release (&c);
}

TEST_MAIN (cmocka_unit_test (clauses_are_what_is_possible),
           cmocka_unit_test (a_choice_is_needed_where_both_values_are_left))
