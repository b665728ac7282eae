// Compares the abstraction of random steps with all values of the variables: it admits what the step does, exactly (if
// all predicates are considered jointly), or for each predicate separately.
#include "abstract/abstract_test.h"

enum { NUM_PREDICATES = 4, VALUATIONS = 1 << NUM_PREDICATES };

static term random_word (small_machine *s, rng *r) {
  term x = now_of (s, rng_below (r, 2) ? s->x : s->y), c = small_const (s, rng_below (r, 8));
  uint32_t kind = rng_below (r, 4);
  return kind == 0   ? c
         : kind == 1 ? x
         : kind == 2 ? term_add (&s->m.terms, x, c)
                     : term_add (&s->m.terms, now_of (s, s->x), now_of (s, s->y));
}

static term random_condition (small_machine *s, rng *r) {
  term a = random_word (s, r), b = random_word (s, r);
  return rng_below (r, 2) ? term_eq (&s->m.terms, a, b) : term_ult (&s->m.terms, a, b);
}

static void make (small_machine *s, uint64_t seed, abstraction_kind kind) {
  rng r = {seed};
  small_machine_init (s, 2);
  efsm_set (&s->m, 0, s->x, random_word (s, &r));
  if (rng_below (&r, 2))
    efsm_set (&s->m, 0, s->y,
              term_ite (&s->m.terms, random_condition (s, &r), random_word (s, &r), random_word (s, &r)));
  efsm_add_exit (&s->m, 0, 1, rng_below (&r, 3) ? random_condition (s, &r) : s->m.terms.truth);
  small_machine_fold (s, kind);
  for (unsigned k = 0; s->a.predicates.all.count < NUM_PREDICATES && k < 50; k++)
    predicates_add (&s->a.predicates, random_condition (s, &r));
}

typedef struct relation {
  bool has[VALUATIONS][VALUATIONS];
} relation;  // before, after

static void enumerate (small_machine *s, relation *r) {
  *r = (relation){0};
  term guard = s->steps.steps.data[0].exits.data[0].condition;
  for (uint32_t v = 0; v < NUM_VALUES; v++)
    if (small_eval (s, guard, v)) r->has[small_valuation (s, v)][small_valuation (s, small_update (s, 0, v))] = true;
}

// Only valuations that some values of the variables have are compared.
static bool exists (small_machine *s, uint32_t valuation) {
  for (uint32_t v = 0; v < NUM_VALUES; v++)
    if (small_valuation (s, v) == valuation) return true;
  return false;
}

static bool has_bit (const relation *r, uint32_t before, uint32_t predicate, bool value) {
  for (uint32_t a = 0; a < VALUATIONS; a++)
    if (r->has[before][a] && (a >> predicate & 1) == value) return true;
  return false;
}

static bool expected (const relation *r, uint32_t before, uint32_t after, abstraction_kind kind) {
  if (kind == ABSTRACT_EXACT) return r->has[before][after];
  for (uint32_t k = 0; k < NUM_PREDICATES; k++)
    if (!has_bit (r, before, k, after >> k & 1)) return false;
  return true;
}

static void compare (uint64_t seed, abstraction_kind kind) {
  small_machine s;
  relation r;
  abstract_edge e;
  make (&s, seed, kind);
  if (s.steps.steps.data[0].exits.count && s.a.predicates.all.count == NUM_PREDICATES) {
    enumerate (&s, &r);
    edge_abstract (&s.a, 0, 0, &e);
    for (uint32_t b = 0; b < VALUATIONS; b++)
      for (uint32_t a = 0; exists (&s, b) && a < VALUATIONS; a++)
        assert_int_equal (small_admits (&e, b, a), expected (&r, b, a, kind));
    edge_release (&e);
  }
  small_machine_release (&s);
}

static void each_predicate_separately (void **state) {
  (void) state;
  for (uint64_t seed = 1; seed <= 60; seed++) compare (seed, ABSTRACT_CARTESIAN);
}

static void all_predicates_jointly (void **state) {
  (void) state;
  for (uint64_t seed = 1; seed <= 60; seed++) compare (seed, ABSTRACT_EXACT);
}

static void at_the_start (void **state) {
  (void) state;
  small_machine s;
  abstract_edge e;
  small_machine_init (&s, 1);
  small_machine_fold (&s, ABSTRACT_CARTESIAN);
  predicates_add (&s.a.predicates, term_eq (&s.m.terms, now_of (&s, s.x), small_const (&s, 0)));
  predicates_add (&s.a.predicates, term_eq (&s.m.terms, now_of (&s, s.x), small_const (&s, 1)));
  edge_abstract_start (&s.a, &e);
  for (uint32_t a = 0; a < 4; a++) assert_int_equal (small_admits (&e, 3, a), a == 1);
  edge_release (&e);
  small_machine_release (&s);
}

TEST_MAIN (cmocka_unit_test (each_predicate_separately), cmocka_unit_test (all_predicates_jointly),
           cmocka_unit_test (at_the_start))
