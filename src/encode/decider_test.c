// Deciders: answers are true, values are models, cores suffice, limits stop a check.
#include "base/test.h"
#include "encode/decider_impl.h"
#include "encode/random_term_test.h"

static const budget no_limit = {0};

static decide_by back_end (void **state) { return *(const decide_by *) *state; }

static void asserts_and_values (void **state) {
  term_pool p;
  term_pool_init (&p);
  decider *d = decider_new (&p, back_end (state), &no_limit);
  term x = term_var (&p, 32), y = term_var (&p, 32), sum = term_add (&p, x, y), unused = term_var (&p, 7);
  decider_assert (d, term_eq (&p, sum, term_const (&p, 32, 10)));
  decider_assert (d, term_and (&p, term_ult (&p, x, y), term_ult (&p, y, term_const (&p, 32, 7))));
  assert_int_equal (decider_check (d, NULL, 0), DECIDED_YES);
  assert_true (decider_value (d, x) == 4 && decider_value (d, y) == 6 && decider_value (d, unused) == 0);
  assert_true (decider_value (d, term_add (&p, y, term_const (&p, 32, 1))) == 7);  // a new term
  assert_int_equal (decider_check (d, (term[]){term_eq (&p, x, y)}, 1), DECIDED_NO);
  assert_true (decider_in_core (d, 0));
  decider_clause (d, (term[]){term_ult (&p, x, term_const (&p, 32, 4)), p.falsity}, 2);
  assert_int_equal (decider_check (d, NULL, 0), DECIDED_NO);
  assert_true (decider_is_exact (d));
  assert_true (decider_get_stats (d).calls == 3);
  decider_free (d);
  term_pool_release (&p);
}

static void cores_name_what_matters (void **state) {
  term_pool p;
  term_pool_init (&p);
  decider *d = decider_new (&p, back_end (state), &no_limit);
  term x = term_var (&p, 8), y = term_var (&p, 8), small = term_ult (&p, x, term_const (&p, 8, 5)),
       large = term_ult (&p, term_const (&p, 8, 9), x), other = term_eq (&p, y, term_const (&p, 8, 3));
  assert_int_equal (decider_check (d, (term[]){p.truth, other, small, large}, 4), DECIDED_NO);
  assert_false (decider_in_core (d, 0));
  assert_false (decider_in_core (d, 1));
  assert_true (decider_in_core (d, 2) && decider_in_core (d, 3));
  assert_int_equal (decider_check (d, (term[]){small, p.falsity}, 2), DECIDED_NO);
  assert_true (!decider_in_core (d, 0) && decider_in_core (d, 1));
  assert_int_equal (decider_check (d, (term[]){small, term_not (&p, small)}, 2), DECIDED_NO);
  assert_int_equal (decider_check (d, (term[]){small, other}, 2), DECIDED_YES);
  decider_free (d);
  term_pool_release (&p);
}

static void what_is_not_modelled_is_reported (void **state) {
  term_pool p;
  term_pool_init (&p);
  decider *d = decider_new (&p, back_end (state), &no_limit);
  term x = term_var (&p, 64), twice = term_apply (&p, IR_X_FADD, 64, x, x, TERM_NONE);
  decider_assert (d, term_eq (&p, x, term_const (&p, 64, 0)));
  assert_true (decider_is_exact (d));
  decider_assert (d, term_eq (&p, twice, term_const (&p, 64, 77)));
  assert_int_equal (decider_check (d, NULL, 0), DECIDED_YES);
  assert_true (decider_value (d, twice) == 77);
  assert_false (decider_is_exact (d));
  decider_free (d);
  term_pool_release (&p);
}

// Assertions that are satisfiable by construction: each compares a term with its value under one assignment.
static void random_assertions_hold (void **state) {
  static const uint16_t widths[] = {1, 3, 8, 16};
  for (uint64_t seed = 0; seed < (back_end (state) == DECIDE_BY_SAT ? 60 : 8); seed++) {
    samples s;
    samples_init (&s, seed, widths, 4);
    decider *d = decider_new (&s.pool, back_end (state), &no_limit);
    VEC (term) asserted = {0};
    for (unsigned i = 0; i < 60; i++) {
      sample x = add_random (&s);
      if (i % 4) continue;
      term t = term_eq (&s.pool, x.term, term_const_like (&s.pool, x.term, x.value[0]));
      decider_assert (d, t);
      vec_push (&asserted, t);
      assert_int_equal (decider_check (d, NULL, 0), DECIDED_YES);
      for (uint32_t k = 0; k < asserted.count; k++) assert_true (decider_value (d, asserted.data[k]) == 1);
    }
    for (uint32_t i = 0; i < s.variables.count; i++) {
      sample v = s.variables.data[i];
      decider_assert (d, term_eq (&s.pool, v.term, term_const_like (&s.pool, v.term, v.value[0])));
    }
    assert_int_equal (decider_check (d, NULL, 0), DECIDED_YES);
    sample last = vec_last (&s.all);
    assert_true (decider_value (d, last.term) == last.value[0]);
    decider_assert (
        d, term_not (&s.pool, term_eq (&s.pool, last.term, term_const_like (&s.pool, last.term, last.value[0]))));
    assert_int_equal (decider_check (d, NULL, 0), DECIDED_NO);
    vec_release (&asserted);
    decider_free (d);
    samples_release (&s);
  }
}

// Random conditions, most of them rarely true, are asserted one after the other: both back ends agree, and their models
// satisfy all assertions.
static void check_models (samples *s, decider *d, const term *conditions, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) assert_true (decider_value (d, conditions[i]) == 1);
  for (uint32_t i = 0; i < s->variables.count; i++) decider_value (d, s->variables.data[i].term);
}

static term random_condition (samples *s) {
  sample x = add_random (s), y = random_sample (s, term_bits (&s->pool, x.term));
  switch (rng_below (&s->r, 4)) {
  case 0: return term_eq (&s->pool, x.term, y.term);
  case 1: return term_ult (&s->pool, x.term, y.term);
  case 2: return term_not (&s->pool, term_eq (&s->pool, x.term, term_const_like (&s->pool, x.term, x.value[1])));
  default: return term_eq (&s->pool, x.term, term_const_like (&s->pool, x.term, rng_below (&s->r, 8)));
  }
}

static void back_ends_agree (void **state) {
  (void) state;
  static const uint16_t widths[] = {1, 4, 8, 13};
  unsigned answers[2] = {0};
  for (uint64_t seed = 0; seed < 16; seed++) {
    samples s;
    samples_init (&s, seed, widths, 4);
    decider *sat = decider_new (&s.pool, DECIDE_BY_SAT, &no_limit),
            *smt = decider_new (&s.pool, DECIDE_BY_SMT, &no_limit);
    VEC (term) held = {0};
    for (unsigned i = 0; i < 24; i++) {
      term pair[2] = {random_condition (&s), random_condition (&s)};
      decided answer = decider_check (sat, pair, 2);
      assert_int_equal (answer, decider_check (smt, pair, 2));
      answers[answer == DECIDED_YES]++;
      if (answer == DECIDED_NO) continue;
      check_models (&s, sat, pair, 2);
      check_models (&s, smt, pair, 2);
      check_models (&s, smt, held.data, held.count);
      check_models (&s, sat, held.data, held.count);
      vec_push (&held, pair[0]);
      decider_assert (sat, pair[0]);
      decider_assert (smt, pair[0]);
    }
    vec_release (&held);
    decider_free (sat);
    decider_free (smt);
    samples_release (&s);
  }
  assert_true (answers[0] > 20 && answers[1] > 20);
}

// Each of the two back ends may spend the whole budget.
static void limits_stop_it (void **state) {
  term_pool p;
  budget b;
  budget_start (&b, 0.3, 0);
  term_pool_init (&p);
  decider *d = decider_new (&p, back_end (state), &b);
  term x = term_var (&p, 64), y = term_var (&p, 64);  // a product of two large numbers, hard to factor
  term product = term_apply (&p, IR_X_MUL, 128, term_resize (&p, x, 128), term_resize (&p, y, 128), TERM_NONE);
  decider_assert (d,
                  term_eq (&p, product, term_const (&p, 128, ((ir_value) 0x4D2F0A6C1B << 64) + 0x9E3779B97F4A7C15u)));
  decider_assert (d, term_ult (&p, term_const (&p, 64, 1u << 20), x));
  decider_assert (d, term_ult (&p, x, y));
  assert_int_equal (decider_check (d, NULL, 0), DECIDED_STOPPED);
  assert_true (budget_elapsed (&b) < TEST_PATIENCE);
  decider_free (d);
  term_pool_release (&p);
}

static void contradictions (void **state) {
  (void) state;
  const opinion yes = {DECIDED_YES, true}, perhaps = {DECIDED_YES, false}, no = {DECIDED_NO, true},
                none = {DECIDED_STOPPED, true};
  assert_true (decide_is_contradiction (yes, no) && decide_is_contradiction (no, yes));
  assert_false (decide_is_contradiction (yes, yes) || decide_is_contradiction (no, no));
  assert_false (decide_is_contradiction (perhaps, no) || decide_is_contradiction (no, perhaps));
  assert_false (decide_is_contradiction (none, no) || decide_is_contradiction (yes, none));
}

static decide_by by_sat = DECIDE_BY_SAT, by_smt = DECIDE_BY_SMT, by_both = DECIDE_BY_BOTH;
#define BY_EACH(TEST)                                                                   \
  cmocka_unit_test_prestate (TEST, &by_sat), cmocka_unit_test_prestate (TEST, &by_smt), \
      cmocka_unit_test_prestate (TEST, &by_both)

TEST_MAIN (BY_EACH (asserts_and_values), BY_EACH (cores_name_what_matters), BY_EACH (what_is_not_modelled_is_reported),
           BY_EACH (random_assertions_hold), BY_EACH (limits_stop_it), cmocka_unit_test (back_ends_agree),
           cmocka_unit_test (contradictions))
