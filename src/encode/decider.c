// The decider: the part that all back ends share.  Conditions are split before a back end gets them: each part of a
// conjunction is asserted by itself, a disjunction becomes one clause, constants are removed.
#include "encode/decider.h"

#include "encode/decider_impl.h"
#include "encode/encode_impl.h"
#include "encode/evaluate.h"

typedef enum decider_state { NO_ANSWER, ANSWERED_YES, ANSWERED_NO } decider_state;

struct decider {
  term_pool *pool;
  const decide_backend *ops;
  void *backend;
  decider_state state;
  evaluator evaluator;
  VEC (term) clause, work;  // scratch
  VEC (term) assumed;       // assumptions that the back end got in the last check
  VEC (uint32_t) place;     // by assumption of the last check: its index in `assumed`, or one of the next two constants
};
enum { ALWAYS_TRUE = UINT32_MAX, ALWAYS_FALSE = UINT32_MAX - 1 };

decider *decider_new (term_pool *pool, decide_by by, const budget *b) {
  static const decide_backend *const backends[] = {
      [DECIDE_BY_SAT] = &decide_by_sat, [DECIDE_BY_SMT] = &decide_by_smt, [DECIDE_BY_BOTH] = &decide_by_both};
  decider *d = mem_zalloc (sizeof *d);
  d->pool = pool;
  d->ops = backends[by];
  d->backend = d->ops->make (pool, b);
  d->evaluator = (evaluator){.pool = pool, .leaf_value = d->ops->leaf_value, .state = d->backend};
  return d;
}

void decider_free (decider *d) {
  if (!d) return;
  d->ops->release (d->backend);
  evaluator_release (&d->evaluator);
  vec_release (&d->clause);
  vec_release (&d->work);
  vec_release (&d->assumed);
  vec_release (&d->place);
  mem_free (d, sizeof *d);
}

static void check_is_condition (const decider *d, term t) {
  CHECK (t.i < d->pool->nodes.count && term_bits (d->pool, t) == 1, "a condition should have one bit");
}

// ---- assertions -------------------------------------------------------------------------------------

// Adds the disjuncts of `t` to the clause.  False: a disjunct is the constant true.
static bool add_disjuncts (decider *d, term t) {
  term_pool *p = d->pool;
  term inner;
  uint32_t bottom = d->work.count;
  vec_push (&d->work, t);
  while (d->work.count > bottom) {
    t = vec_pop (&d->work);
    if (term_is_false (p, t)) continue;
    if (term_is_true (p, t)) return d->work.count = bottom, false;
    if (term_is_complement (p, t, &inner) && term_op (p, inner) == IR_X_AND) {
      vec_push (&d->work, term_not (p, term_arg (p, inner, 1)));
      vec_push (&d->work, term_not (p, term_arg (p, inner, 0)));
    } else vec_push (&d->clause, t);
  }
  return true;
}

void decider_clause (decider *d, const term *conditions, uint32_t count) {
  vec_clear (&d->clause);
  d->state = NO_ANSWER;
  for (uint32_t i = 0; i < count; i++) {
    check_is_condition (d, conditions[i]);
    if (!add_disjuncts (d, conditions[i])) return;
  }
  d->ops->add_clause (d->backend, d->clause.data, d->clause.count);
}

void decider_assert (decider *d, term condition) {
  uint32_t bottom = d->work.count;
  check_is_condition (d, condition);
  vec_push (&d->work, condition);
  while (d->work.count > bottom) {
    term t = vec_pop (&d->work);
    if (term_op (d->pool, t) == IR_X_AND) {
      vec_push (&d->work, term_arg (d->pool, t, 1));
      vec_push (&d->work, term_arg (d->pool, t, 0));
    } else decider_clause (d, &t, 1);
  }
}

void decider_equal_if (decider *d, term condition, term a, term b) {
  check_is_condition (d, condition);
  CHECK (term_bits (d->pool, a) == term_bits (d->pool, b), "words that are equal should have the same width");
  if (a.i == b.i || term_is_false (d->pool, condition)) return;
  d->state = NO_ANSWER;
  if (term_is_true (d->pool, condition)) decider_assert (d, term_eq (d->pool, a, b));
  else d->ops->equal_if (d->backend, condition, a, b);
}

// ---- answers ----------------------------------------------------------------------------------------

// Removes constants from the assumptions for the back end.  False: an assumption is the constant false.
static bool prepare_assumptions (decider *d, const term *assumptions, uint32_t count) {
  bool possible = true;
  vec_clear (&d->assumed);
  vec_clear (&d->place);
  for (uint32_t i = 0; i < count; i++) {
    check_is_condition (d, assumptions[i]);
    bool is_false = term_is_false (d->pool, assumptions[i]), is_true = term_is_true (d->pool, assumptions[i]);
    uint32_t place = is_true ? ALWAYS_TRUE : is_false ? ALWAYS_FALSE : d->assumed.count;
    vec_push (&d->place, place);
    if (!is_true && !is_false) vec_push (&d->assumed, assumptions[i]);
    possible &= !is_false;
  }
  return possible;
}

decided decider_check (decider *d, const term *assumptions, uint32_t count) {
  d->state = NO_ANSWER;
  if (!prepare_assumptions (d, assumptions, count)) {
    vec_clear (&d->assumed);
    d->state = ANSWERED_NO;
    return DECIDED_NO;
  }
  decided answer = d->ops->check (d->backend, d->assumed.data, d->assumed.count);
  if (answer == DECIDED_YES) evaluator_forget (&d->evaluator);
  if (answer != DECIDED_STOPPED) d->state = answer == DECIDED_YES ? ANSWERED_YES : ANSWERED_NO;
  return answer;
}

ir_value decider_value (decider *d, term t) {
  CHECK (d->state == ANSWERED_YES, "values should be read after an answer of yes, before the next assertion");
  return evaluate_term (&d->evaluator, t);
}

// If an assumption was the constant false, the back end was not called, and this assumption is the whole core.
bool decider_in_core (decider *d, uint32_t assumption) {
  CHECK (d->state == ANSWERED_NO, "a core should be read after an answer of no, before the next assertion");
  CHECK (assumption < d->place.count, "assumption %u should be one of %u", assumption, d->place.count);
  uint32_t place = d->place.data[assumption];
  if (place == ALWAYS_FALSE) return true;
  return place < d->assumed.count && d->ops->in_core (d->backend, place);
}

bool decider_is_exact (const decider *d) { return d->ops->is_exact (d->backend); }
bool decider_disagrees (const decider *d) { return d->ops->disagrees && d->ops->disagrees (d->backend); }
decider_stats decider_get_stats (const decider *d) { return d->ops->stats (d->backend); }
