// Simulation and the judgement of paths, against enumeration.
#include "netlist/random_netlist_test.h"
#include "netlist/netlist_simulate.h"

static unsigned lane_state (const net_simulation *s, unsigned lane) {
  unsigned state = 0;
  for (uint32_t k = 0; k < s->circuit->latches.count; k++)
    state |= (unsigned) (net_value (s, s->circuit->latches.data[k].now) >> lane & 1) << k;
  return state;
}

static unsigned lane_inputs (const net_simulation *s, unsigned lane) {
  unsigned inputs = 0;
  for (uint32_t k = 0; k < s->circuit->inputs.count; k++)
    inputs |= (unsigned) (net_value (s, s->circuit->inputs.data[k].now) >> lane & 1) << k;
  return inputs;
}

// One evaluated step of all lanes; what comes next goes to `expected`.
static void check_lanes (const net_simulation *s, unsigned expected[64]) {
  bool value[NAIVE_NODES];
  const netlist *n = s->circuit;
  for (unsigned lane = 0; lane < 64; lane++) {
    naive_evaluate (n, lane_state (s, lane), lane_inputs (s, lane), value);
    assert_int_equal (naive_allowed (n, value), net_constraints_hold (s) >> lane & 1);
    for (uint32_t k = 0; k < n->bads.count; k++)
      assert_int_equal (naive_literal (value, n->bads.data[k].holds), net_value (s, n->bads.data[k].holds) >> lane & 1);
    expected[lane] = naive_next (n, value);
  }
}

static void lanes_are_executions (void **state) {
  (void) state;
  for (uint64_t seed = 0; seed < 200; seed++) {
    rng r = {seed};
    netlist n;
    net_simulation s;
    unsigned expected[64];
    random_netlist (&n, &r, random_small_shape (&r));
    net_simulation_init (&s, &n);
    net_reset_latches (&s, &r);
    for (unsigned lane = 0; lane < 64; lane++) assert_true (naive_is_reset (&n, lane_state (&s, lane)));
    for (unsigned step = 0; step < 10; step++) {
      net_random_inputs (&s, &r);
      net_evaluate (&s);
      check_lanes (&s, expected);
      net_step (&s);
      for (unsigned lane = 0; lane < 64; lane++) assert_int_equal (lane_state (&s, lane), expected[lane]);
    }
    net_simulation_release (&s);
    netlist_release (&n);
  }
}

// ---- paths ------------------------------------------------------------------------------------------

static net_path random_path (const netlist *n, rng *r) {
  net_path p = {.length = 1 + rng_below (r, 8), .loop = NET_NO_LOOP};
  for (uint32_t k = 0; k < n->latches.count; k++) {
    net_reset reset = n->latches.data[k].reset;
    bool wrong = rng_below (r, 40) == 0;
    vec_push (&p.start, reset == NET_ANY ? rng_below (r, 2) : (reset == NET_ONE) ^ wrong);
  }
  for (uint32_t k = 0; k < p.length * n->inputs.count; k++) vec_push (&p.inputs, rng_below (r, 2));
  return p;
}

// Walks the path by enumeration.  States and values at each step.
typedef struct naive_walk {
  unsigned states[9];
  bool value[8][NAIVE_NODES];
  bool allowed;
} naive_walk;

static void walk (const netlist *n, const net_path *p, naive_walk *w) {
  w->states[0] = 0;
  for (uint32_t k = 0; k < n->latches.count; k++) w->states[0] |= (unsigned) p->start.data[k] << k;
  w->allowed = naive_is_reset (n, w->states[0]);
  for (uint32_t step = 0; step < p->length; step++) {
    unsigned inputs = 0;
    for (uint32_t k = 0; k < n->inputs.count; k++) inputs |= (unsigned) p->inputs.data[step * n->inputs.count + k] << k;
    naive_evaluate (n, w->states[step], inputs, w->value[step]);
    w->allowed &= naive_allowed (n, w->value[step]);
    w->states[step + 1] = naive_next (n, w->value[step]);
  }
}

static bool holds_in_loop (const naive_walk *w, const net_path *p, aig_lit x) {
  for (uint32_t step = p->loop; step < p->length; step++)
    if (naive_literal (w->value[step], x)) return true;
  return false;
}

static bool naive_shows_justice (const netlist *n, const naive_walk *w, const net_path *p, const net_justice *j) {
  if (!w->allowed || w->states[p->loop] != w->states[p->length]) return false;
  for (uint32_t k = 0; k < j->conditions.count; k++)
    if (!holds_in_loop (w, p, j->conditions.data[k])) return false;
  for (uint32_t k = 0; k < n->fairness.count; k++)
    if (!holds_in_loop (w, p, n->fairness.data[k].holds)) return false;
  return true;
}

static void paths_are_judged_as_by_enumeration (void **state) {
  (void) state;
  unsigned shown = 0, shown_justice = 0, refused = 0;
  for (uint64_t seed = 0; seed < 3000; seed++) {
    rng r = {seed};
    netlist n;
    naive_walk w;
    random_shape shape = random_small_shape (&r);
    shape.justice = 1, shape.fairness = rng_below (&r, 2);
    random_netlist (&n, &r, shape);
    net_path p = random_path (&n, &r);
    walk (&n, &p, &w);
    bool bad = w.allowed && naive_literal (w.value[p.length - 1], n.bads.data[0].holds);
    assert_int_equal (net_path_shows (&n, 0, &p), bad);
    p.loop = rng_below (&r, p.length);
    bool justice = naive_shows_justice (&n, &w, &p, &n.justice.data[0]);
    assert_int_equal (net_path_shows_justice (&n, 0, &p), justice);
    shown += bad, shown_justice += justice, refused += !w.allowed;
    net_path_release (&p);
    netlist_release (&n);
  }
  assert_true (shown > 50 && shown_justice > 50 && refused > 50);
}

static void paths_that_do_not_fit_show_nothing (void **state) {
  (void) state;
  netlist n;
  netlist_init (&n);
  netlist_add_input (&n, NULL);
  netlist_add_latch (&n, NET_ZERO, NULL);
  netlist_add_bad (&n, AIG_TRUE, NULL);
  netlist_add_justice (&n, NULL);
  net_path p = {.length = 1, .loop = NET_NO_LOOP};
  vec_push (&p.start, 0);
  assert_false (net_path_shows (&n, 0, &p));
  vec_push (&p.inputs, 1);
  assert_true (net_path_shows (&n, 0, &p));
  assert_false (net_path_shows (&n, 1, &p));
  assert_false (net_path_shows_justice (&n, 0, &p));
  p.loop = 1;
  assert_false (net_path_shows_justice (&n, 0, &p));
  p.loop = 0;
  assert_true (net_path_shows_justice (&n, 0, &p));
  assert_false (net_path_shows_justice (&n, 1, &p));
  p.length = 2;
  assert_false (net_path_shows (&n, 0, &p));
  p.length = 0;
  assert_false (net_path_shows (&n, 0, &p));
  net_path_release (&p);
  netlist_release (&n);
}

TEST_MAIN (cmocka_unit_test (lanes_are_executions), cmocka_unit_test (paths_are_judged_as_by_enumeration),
           cmocka_unit_test (paths_that_do_not_fit_show_nothing))
