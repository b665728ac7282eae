// Random machines behave as before, and dead variables are reset where they become dead.
#include "efsm/forget.h"

#include "efsm/efsm_test.h"

static void behaviour_stays (void **state) {
  (void) state;
  assert_keeps_behaviour (efsm_forget, 600);
}

typedef struct example {
  efsm m;
  uint32_t t, x, y, a, b, c, d;
} example;

// a: x = 3; b: if (y == 0) c else d; d: if (x == 3) d.
static void example_init (example *e) {
  efsm_init (&e->m);
  term_pool *p = &e->m.terms;
  term three = term_const (p, 8, 3), zero = term_const (p, 8, 0);
  e->t = efsm_add_thread (&e->m);
  e->x = efsm_add_variable (&e->m, 8, e->t, term_const (p, 8, 7), "x");
  e->y = efsm_add_variable (&e->m, 8, IR_NONE, zero, "y");
  e->a = efsm_add_point (&e->m, e->t, "a"), e->b = efsm_add_point (&e->m, e->t, "b");
  e->c = efsm_add_point (&e->m, e->t, "c"), e->d = efsm_add_point (&e->m, e->t, "d");
  e->m.threads.data[e->t].start = e->a;
  term is_zero = term_eq (p, e->m.variables.data[e->y].now, zero);
  efsm_set (&e->m, e->a, e->x, three);
  efsm_add_exit (&e->m, e->a, e->b, p->truth);
  efsm_add_exit (&e->m, e->b, e->c, is_zero);
  efsm_add_exit (&e->m, e->b, e->d, term_not (p, is_zero));
  efsm_add_exit (&e->m, e->d, e->d, term_eq (p, e->m.variables.data[e->x].now, three));
}

static bool is_forgotten_at (const example *e, uint32_t point) {
  term value = efsm_get (&e->m, point, e->x);
  return term_is_const (&e->m.terms, value) && term_value (&e->m.terms, value) == 7;
}

static void dead_variables_are_set_back (void **state) {
  (void) state;
  example e;
  example_init (&e);
  efsm_forget (&e.m);
  assert_false (is_forgotten_at (&e, e.a) || is_forgotten_at (&e, e.b) || is_forgotten_at (&e, e.d));
  assert_true (is_forgotten_at (&e, e.c));
  efsm_release (&e.m);
}

static void what_others_see_stays (void **state) {
  (void) state;
  example e;
  example_init (&e);
  e.m.variables.data[e.x].owner = IR_NONE;
  efsm_forget (&e.m);
  assert_false (is_forgotten_at (&e, e.c));
  efsm_release (&e.m);
  example_init (&e);
  vec_push (&e.m.sites, ((efsm_site){.current = e.m.variables.data[e.x].now}));
  efsm_forget (&e.m);
  assert_false (is_forgotten_at (&e, e.c));
  efsm_release (&e.m);
  example_init (&e);
  vec_push (&e.m.readers, ((efsm_reader){.thread = e.t, .variable = e.x}));
  efsm_forget (&e.m);
  assert_false (is_forgotten_at (&e, e.c));
  efsm_release (&e.m);
}

TEST_MAIN (cmocka_unit_test (behaviour_stays), cmocka_unit_test (dead_variables_are_set_back),
           cmocka_unit_test (what_others_see_stays))
