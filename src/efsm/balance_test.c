// Idle points change nothing but lengths; without loops, each point is then reached at one depth only.
#include "efsm/balance.h"

#include "efsm/efsm_test.h"
#include "efsm/reach.h"

enum { STEPS = 80, COMPARED = 200 };

// The points that are not idle, in the order in which a single thread visits them.
static void visit (efsm *m, uint64_t seed, run_log *out) {
  machine_run r;
  run_init (&r, m, seed);
  run_log all = {0};
  for (uint32_t k = 0, idle = 0; k < STEPS + idle; k++) {
    bool is_idle = m->points.data[r.at.data[0]].kind == POINT_IDLE;
    uint32_t step = r.step;
    if (is_idle) idle++;
    if (!run_step (&r, 0, &all)) break;
    if (is_idle) r.step = step;  // inputs are identified by the steps that are not idle
  }
  for (uint32_t k = 0; k < all.count && k < COMPARED; k++) vec_push (out, all.data[k]);
  vec_release (&all);
  run_release (&r);
}

static void order_of_points_stays (void **state) {
  (void) state;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    random_machine r;
    random_machine_init (&r, seed, 1, 3 + seed % 8, seed % 3);
    run_log before = {0}, after = {0};
    for (uint64_t k = 0; k < 5; k++) visit (&r.m, seed + k, &before);
    efsm_balance (&r.m);
    for (uint64_t k = 0; k < 5; k++) visit (&r.m, seed + k, &after);
    assert_same_log (&before, &after, seed);
    vec_release (&before);
    vec_release (&after);
    efsm_release (&r.m);
  }
}

// Every point is reached at one depth in every context.
static void assert_equally_long (const efsm *m) {
  reach r;
  reach_init (&r, m, 0, (reach_options){.cxt = true});
  map depth_of = {0};
  do {
    reach_grow (&r);
    const reach_depth *d = &vec_last (&r.depths);
    for (uint32_t k = 0; k < d->nodes.count; k++) {
      bool is_new;
      map_insert (&depth_of, d->nodes.data[k], 0, &is_new);
      if (!is_new) fail_msg ("point %u is reached at two depths", r.nodes.data[d->nodes.data[k]].point);
    }
  } while (vec_last (&r.depths).nodes.count);
  map_release (&depth_of);
  reach_release (&r);
}

static void ways_are_equally_long (void **state) {
  (void) state;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    random_machine r;
    random_machine_init (&r, seed, 1, 3 + seed % 10, false);
    efsm_balance (&r.m);
    assert_equally_long (&r.m);
    efsm_release (&r.m);
  }
}

// main: a -> (call f -> | b ->) c; f: d -> e | d -> g -> e, and returns from both d and e if `early`.
static void calls_count_as_long_as_they_take (void **state) {
  (void) state;
  efsm m;
  efsm_init (&m);
  uint32_t t = efsm_add_thread (&m), p[6];
  for (uint32_t k = 0; k < 6; k++) {
    p[k] = efsm_add_point (&m, t, NULL);
    m.points.data[p[k]].copy = k >= 3;
  }
  m.threads.data[t].start = p[0];
  vec_push (&m.copies, ((efsm_copy){.entry = p[0]}));
  vec_push (&m.copies, ((efsm_copy){.entry = p[3]}));
  vec_push (&m.sites, ((efsm_site){p[0], 1, p[2], TERM_NONE, {IR_NONE}}));
  term truth = m.terms.truth;
  vec_push (&m.points.data[p[0]].exits, ((efsm_exit){p[3], truth, 0, IR_NONE}));
  efsm_add_exit (&m, p[0], p[1], truth);
  efsm_add_exit (&m, p[1], p[2], truth);
  efsm_add_exit (&m, p[3], p[4], truth);
  efsm_add_exit (&m, p[3], p[5], truth);
  efsm_add_exit (&m, p[4], p[5], truth);
  vec_push (&m.points.data[p[4]].exits, ((efsm_exit){p[2], truth, IR_NONE, 0}));
  vec_push (&m.points.data[p[5]].exits, ((efsm_exit){p[2], truth, IR_NONE, 0}));
  vec_push (&m.copies, ((efsm_copy){.entry = IR_NONE}));  // no thread calls this copy
  assert_true (efsm_balance (&m) > 0);
  assert_equally_long (&m);
  efsm_release (&m);
}

TEST_MAIN (cmocka_unit_test (order_of_points_stays), cmocka_unit_test (ways_are_equally_long),
           cmocka_unit_test (calls_count_as_long_as_they_take))
