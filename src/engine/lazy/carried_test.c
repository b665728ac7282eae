// Values that go with the token: with few of them the answers are those with all of them, on random machines; what does
// not matter is not carried.
#include "efsm/efsm_test.h"
#include "engine/lazy/lazy.h"

typedef VEC (bool) answers;

static bool writes_shared (const efsm *m, const efsm_point *p) {
  for (uint32_t k = 0; k < p->updates.count; k++)
    if (m->variables.data[p->updates.data[k].variable].owner == IR_NONE) return true;
  return false;
}

// A random term may read anything.
static void open_all_points (efsm *m) {
  for (uint32_t k = 0; k < m->points.count; k++) {
    efsm_point *p = &m->points.data[k];
    p->shared = p->opens = p->closes = true;
    p->writes = writes_shared (m, p);
    vec_clear (&p->accesses);
  }
  efsm_add_syncs (m);
}

static bool is_reached (lazy_model *u, const lazy_goal *g) {
  for (;;) {
    decided d = decider_check (u->decider, (term[]){g->literal, u->last_depth}, 2);
    assert_true (d != DECIDED_STOPPED);
    if (d == DECIDED_NO) return false;
    if (!lazy_lost_value (u, g)) return true;
  }
}

// Whether each goal is reached, depth by depth; how many shared variables were carried in the end.
static uint32_t ask_all (efsm *m, bool few, uint32_t depth, answers *out) {
  budget unlimited;
  budget_start (&unlimited, 0, 0);
  decider *d = decider_new (&m->terms, DECIDE_BY_SAT, &unlimited);
  lazy_model u;
  lazy_model_init (&u, m, d,
                   (lazy_model_options){.csr = true, .cxt = true, .few_values = few, .properties = 1u << IR_P_ASSERT});
  for (uint32_t k = 0; k < depth; k++) {
    lazy_model_grow (&u);
    for (uint32_t g = 0; g < u.goals.count; g++) {
      lazy_goal goal = u.goals.data[g];
      vec_push (out, is_reached (&u, &goal));
    }
  }
  uint32_t carried = 0;
  for (uint32_t v = 0; v < u.carried.count; v++) carried += u.carried.data[v];
  lazy_model_release (&u);
  decider_free (d);
  return carried;
}

static void few_values_answer_as_all (void **state) {
  (void) state;
  uint32_t reached = 0, not_reached = 0;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    random_machine r;
    random_machine_init (&r, seed, 2 + seed % 2, 3, false);
    open_all_points (&r.m);
    answers all = {0}, few = {0};
    ask_all (&r.m, false, 8, &all);
    ask_all (&r.m, true, 8, &few);
    assert_int_equal (all.count, few.count);
    for (uint32_t k = 0; k < all.count; k++) {
      if (all.data[k] != few.data[k]) fail_msg ("seed %llu: goal %u differs", (unsigned long long) seed, k);
      reached += all.data[k];
      not_reached += !all.data[k];
    }
    vec_release (&all);
    vec_release (&few);
    efsm_release (&r.m);
  }
  assert_true (reached > 100 && not_reached > 100);  // both happen, or the comparison says nothing
}

// ---- a relay ----------------------------------------------------------------------------------------
typedef struct relay {
  efsm m;
  uint32_t x, y, unused;
} relay;

static term word (relay *r, uint64_t value) { return term_const (&r->m.terms, 8, value); }

// A thread with one step that sets a variable and goes on to a second point.
static uint32_t add_step (relay *r, uint32_t variable, term value) {
  uint32_t t = efsm_add_thread (&r->m), from = efsm_add_point (&r->m, t, "step"), to = efsm_add_point (&r->m, t, "end");
  r->m.points.data[from].copy = r->m.points.data[to].copy = t;
  r->m.threads.data[t].start = from;
  vec_push (&r->m.copies, ((efsm_copy){.entry = from}));
  efsm_set (&r->m, from, variable, value);
  efsm_add_exit (&r->m, from, to, r->m.terms.truth);
  return to;
}

// Thread 0: x = 5.  Thread 1: y = x.  Thread 2: unused = 1, then it is wrong if y is `expected`.
static void make_relay (relay *r, uint64_t expected) {
  *r = (relay){0};
  efsm_init (&r->m);
  r->x = efsm_add_variable (&r->m, 8, IR_NONE, word (r, 0), "x");
  r->y = efsm_add_variable (&r->m, 8, IR_NONE, word (r, 0), "y");
  r->unused = efsm_add_variable (&r->m, 8, IR_NONE, word (r, 0), "unused");
  add_step (r, r->x, word (r, 5));
  add_step (r, r->y, r->m.variables.data[r->x].now);
  uint32_t last = add_step (r, r->unused, word (r, 1));
  efsm_goal wrong = {.property = IR_P_ASSERT,
                     .condition = term_eq (&r->m.terms, r->m.variables.data[r->y].now, word (r, expected))};
  vec_push (&r->m.points.data[last].goals, wrong);
  open_all_points (&r->m);
}

static void check_relay (uint64_t expected, bool reached, uint32_t most_carried) {
  relay r;
  make_relay (&r, expected);
  answers found = {0};
  uint32_t carried = ask_all (&r.m, true, 8, &found);
  assert_true (found.count && vec_last (&found) == reached);
  assert_true (carried <= most_carried);
  vec_release (&found);
  efsm_release (&r.m);
}

static void lost_values_are_carried_in_the_end (void **state) {
  (void) state;
  check_relay (5, true, 2);
  check_relay (7, false, 2);  // y, and x, from which y comes
  check_relay (0, true, 2);
}

TEST_MAIN (cmocka_unit_test (few_values_answer_as_all), cmocka_unit_test (lost_values_are_carried_in_the_end))
