// Random machines behave as before, and the executions of creations in loops are counted.
#include "efsm/rounds.h"

#include "efsm/efsm_test.h"

// A program of one edge, which starts a thread.
static ir_program create_program (void) {
  ir_program p = {0};
  vec_push (&p.edges, ((ir_edge_data){.op = IR_THREAD_CREATE}));
  return p;
}

static void lay_out (efsm *m) {
  efsm_made_list made = {0};
  ir_program p = create_program ();
  efsm_lay_out_rounds (m, &p, &made);
  vec_release (&made);
  vec_release (&p.edges);
}

static void behaviour_stays (void **state) {
  (void) state;
  assert_keeps_behaviour (lay_out, 400);
}

typedef struct nest {
  efsm m;
  uint32_t thread, start, end;
} nest;

// x = 0; while (x < rounds) { inside; x++; } after `from`; returns the point after the loop.
static uint32_t add_loop (nest *n, uint32_t from, uint64_t rounds, uint32_t *inside) {
  term_pool *t = &n->m.terms;
  uint32_t x = efsm_add_variable (&n->m, 8, n->thread, term_const (t, 8, 0), NULL);
  uint32_t head = efsm_add_point (&n->m, n->thread, "head"), body = efsm_add_point (&n->m, n->thread, "body");
  uint32_t step = efsm_add_point (&n->m, n->thread, "step"), after = efsm_add_point (&n->m, n->thread, "after");
  term goes_on = term_ult (t, n->m.variables.data[x].now, term_const (t, 8, rounds));
  efsm_set (&n->m, from, x, term_const (t, 8, 0));
  efsm_add_exit (&n->m, from, head, t->truth);
  efsm_add_exit (&n->m, head, body, goes_on);
  efsm_add_exit (&n->m, head, after, term_not (t, goes_on));
  efsm_set (&n->m, step, x, term_add (t, n->m.variables.data[x].now, term_const (t, 8, 1)));
  efsm_add_exit (&n->m, step, head, t->truth);
  inside[0] = body, inside[1] = step;
  return after;
}

static uint32_t times_made (uint64_t outer, uint64_t inner) {
  nest n = {0};
  efsm_made_list made = {0};
  ir_program p = create_program ();
  uint32_t in_outer[2], in_inner[2];
  efsm_init (&n.m);
  n.thread = efsm_add_thread (&n.m);
  n.m.threads.data[n.thread].start = efsm_add_point (&n.m, n.thread, "start");
  add_loop (&n, n.m.threads.data[n.thread].start, outer, in_outer);
  uint32_t after = add_loop (&n, in_outer[0], inner, in_inner);
  efsm_add_exit (&n.m, after, in_outer[1], n.m.terms.truth);
  efsm_add_exit (&n.m, in_inner[0], in_inner[1], n.m.terms.truth);
  vec_push (&n.m.points.data[in_inner[0]].steps, ((efsm_step){.edge = {0}, .choice = TERM_NONE, .chooses = TERM_NONE}));
  efsm_lay_out_rounds (&n.m, &p, &made);
  assert_int_equal (made.count, 1);
  uint32_t times = made.data[0].times;
  vec_release (&made);
  vec_release (&p.edges);
  efsm_release (&n.m);
  return times;
}

static void rounds_are_counted (void **state) {
  (void) state;
  assert_int_equal (times_made (1, 1), 1);
  assert_int_equal (times_made (1, 3), 3);
  assert_int_equal (times_made (2, 3), 6);
  assert_int_equal (times_made (1, LIMIT_MACHINE_ROUNDS), LIMIT_MACHINE_ROUNDS);
  assert_int_equal (times_made (1, LIMIT_MACHINE_ROUNDS + 1), 0);
  assert_int_equal (times_made (LIMIT_MACHINE_ROUNDS + 2, 1), 0);
  assert_int_equal (times_made (5, 4), 0);
}

TEST_MAIN (cmocka_unit_test (behaviour_stays), cmocka_unit_test (rounds_are_counted))
