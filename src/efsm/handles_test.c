// Small machines of two threads, whose points start or join a third one.
#include "efsm/handles.h"

#include "efsm/efsm_test.h"

typedef struct example {
  efsm m;
  uint32_t started, gone, at[2][3];  // points of each thread, one after the other
} example;

static void example_init (example *e) {
  efsm_init (&e->m);
  e->started = efsm_add_variable (&e->m, 1, IR_NONE, e->m.terms.falsity, "started");
  e->gone = efsm_add_variable (&e->m, 1, IR_NONE, e->m.terms.falsity, "gone");
  for (uint32_t t = 0; t < 2; t++) {
    efsm_add_thread (&e->m);
    for (uint32_t k = 0; k < 3; k++) e->at[t][k] = efsm_add_point (&e->m, t, NULL);
    for (uint32_t k = 0; k < 2; k++) efsm_add_exit (&e->m, e->at[t][k], e->at[t][k + 1], e->m.terms.truth);
    e->m.threads.data[t].start = e->at[t][0];
  }
  uint32_t third = efsm_add_thread (&e->m);
  e->m.threads.data[third].started = e->started, e->m.threads.data[third].gone = e->gone;
}

static void starts_at (example *e, uint32_t point) { efsm_set (&e->m, point, e->started, e->m.terms.truth); }
static void leaves_at (example *e, uint32_t point) { efsm_set (&e->m, point, e->gone, e->m.terms.truth); }

static void started_first_they_do_not (void **state) {
  (void) state;
  example e;
  example_init (&e);
  assert_false (efsm_handles_come_back (&e.m));
  starts_at (&e, e.at[0][0]), starts_at (&e, e.at[0][1]);
  assert_false (efsm_handles_come_back (&e.m));
  leaves_at (&e, e.at[0][2]);
  assert_false (efsm_handles_come_back (&e.m));
  efsm_release (&e.m);
}

static void started_afterwards_they_do (void **state) {
  (void) state;
  example e;
  example_init (&e);
  leaves_at (&e, e.at[0][0]), starts_at (&e, e.at[0][2]);
  assert_true (efsm_handles_come_back (&e.m));
  efsm_release (&e.m);
}

static void in_a_loop_they_do (void **state) {
  (void) state;
  example e;
  example_init (&e);
  starts_at (&e, e.at[0][0]), leaves_at (&e, e.at[0][1]);
  efsm_add_exit (&e.m, e.at[0][2], e.at[0][0], e.m.terms.truth);
  assert_true (efsm_handles_come_back (&e.m));
  efsm_release (&e.m);
}

static void nobody_knows_the_order_of_two_threads (void **state) {
  (void) state;
  example e;
  example_init (&e);
  starts_at (&e, e.at[0][0]), leaves_at (&e, e.at[1][2]);
  assert_true (efsm_handles_come_back (&e.m));
  efsm_release (&e.m);
  example_init (&e);
  starts_at (&e, e.at[0][0]), leaves_at (&e, e.at[0][2]), starts_at (&e, e.at[1][0]);
  assert_true (efsm_handles_come_back (&e.m));
  efsm_release (&e.m);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (started_first_they_do_not), cmocka_unit_test (started_afterwards_they_do),
      cmocka_unit_test (in_a_loop_they_do), cmocka_unit_test (nobody_knows_the_order_of_two_threads)};
  return cmocka_run_group_tests (tests, NULL, NULL);
}
