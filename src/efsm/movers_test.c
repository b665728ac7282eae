// The points before or after which another thread must be able to run.
#include "efsm/movers.h"

#include "base/test.h"

// Two threads that lock, change x and unlock; the first may start and join the second.
typedef struct two {
  efsm m;
  uint32_t x, lock, started, gone, ended;
  uint32_t take[2], change[2], release[2];
} two;

static term now (two *w, uint32_t v) { return w->m.variables.data[v].now; }

static uint32_t add_point (two *w, uint32_t thread) {
  uint32_t p = efsm_add_point (&w->m, thread, NULL);
  efsm_point *q = &w->m.points.data[p];
  q->shared = q->opens = q->closes = q->writes = true;
  return p;
}

static void add_flip (two *w, uint32_t point, uint32_t variable) {
  efsm_set (&w->m, point, variable, term_not (&w->m.terms, now (w, variable)));
}

static void add_critical_section (two *w, uint32_t t) {
  efsm *m = &w->m;
  w->take[t] = add_point (w, t), w->change[t] = add_point (w, t), w->release[t] = add_point (w, t);
  efsm_point *take = &m->points.data[w->take[t]], *release = &m->points.data[w->release[t]];
  take->acquires = release->releases = 1;
  take->moves_right = release->moves_left = true;
  efsm_set (m, w->take[t], w->lock, m->terms.truth);
  efsm_set (m, w->release[t], w->lock, m->terms.falsity);
  add_flip (w, w->change[t], w->x);
  efsm_add_exit (m, w->take[t], w->change[t], term_not (&m->terms, now (w, w->lock)));
  efsm_add_exit (m, w->change[t], w->release[t], m->terms.truth);
}

static void make_two (two *w) {
  *w = (two){0};
  efsm_init (&w->m);
  term falsity = w->m.terms.falsity;
  w->m.num_locks = 1;
  w->x = efsm_add_variable (&w->m, 1, IR_NONE, falsity, "x");
  w->lock = efsm_add_variable (&w->m, 1, IR_NONE, falsity, "lock");
  for (uint32_t t = 0; t < 2; t++) {
    efsm_add_thread (&w->m);
    add_critical_section (w, t);
    w->m.threads.data[t].start = w->take[t];
  }
}

static void expect (const two *w, uint32_t point, bool opens, bool closes) {
  const efsm_point *p = &w->m.points.data[point];
  if (p->opens != opens || p->closes != closes) fail_msg ("point %u: opens %d, closes %d", point, p->opens, p->closes);
}

static void protected_access_moves (void **state) {
  (void) state;
  two w;
  make_two (&w);
  efsm_find_movers (&w.m);
  for (uint32_t t = 0; t < 2; t++) {
    expect (&w, w.take[t], true, false);
    expect (&w, w.change[t], false, false);
    expect (&w, w.release[t], false, true);
  }
  efsm_release (&w.m);
}

// The second thread changes x once more after it has released the lock.
static void unprotected_access_stays (void **state) {
  (void) state;
  two w;
  make_two (&w);
  uint32_t again = add_point (&w, 1);
  add_flip (&w, again, w.x);
  efsm_add_exit (&w.m, w.release[1], again, w.m.terms.truth);
  efsm_find_movers (&w.m);
  expect (&w, again, true, true);
  expect (&w, w.change[0], true, true);
  expect (&w, w.change[1], true, true);
  expect (&w, w.take[0], true, false);
  efsm_release (&w.m);
}

// ... in a way that no term shows: the value is always the same.
static void access_without_a_value_stays (void **state) {
  (void) state;
  two w;
  make_two (&w);
  uint32_t again = add_point (&w, 1);
  vec_push (&w.m.points.data[again].touches, ((efsm_touch){w.x, true}));
  efsm_add_exit (&w.m, w.release[1], again, w.m.terms.truth);
  efsm_find_movers (&w.m);
  expect (&w, again, true, true);
  expect (&w, w.change[0], true, true);
  efsm_release (&w.m);
}

static void observed_lock_does_not_move (void **state) {
  (void) state;
  two w;
  make_two (&w);
  w.m.observed = 1;  // trylock
  efsm_find_movers (&w.m);
  for (uint32_t t = 0; t < 2; t++) {
    expect (&w, w.take[t], true, true);
    expect (&w, w.release[t], true, true);
  }
  efsm_release (&w.m);
}

// The second thread releases the lock without holding it.
static void foreign_release_protects_nothing (void **state) {
  (void) state;
  two w;
  make_two (&w);
  w.m.threads.data[1].start = w.release[1];
  efsm_find_movers (&w.m);
  expect (&w, w.take[0], true, true);
  expect (&w, w.change[0], true, true);
  expect (&w, w.release[0], true, true);
  efsm_release (&w.m);
}

// ---- start and join ---------------------------------------------------------------------------------
// The first thread: before, start, between, join, after; each except start and join changes x. The second thread
// changes x without a lock.
typedef struct family {
  two w;
  uint32_t before, start, between, join, after, child;
} family;

static void add_flags (two *w) {
  term falsity = w->m.terms.falsity;
  w->started = efsm_add_variable (&w->m, 1, IR_NONE, falsity, "started");
  w->gone = efsm_add_variable (&w->m, 1, IR_NONE, falsity, "gone");
  w->ended = efsm_add_variable (&w->m, 1, IR_NONE, falsity, "ended");
  efsm_thread *t = &w->m.threads.data[1];
  t->started = w->started, t->gone = w->gone, t->ended = w->ended;
}

static term join_guard (two *w, bool handle_is_known) {
  term_pool *p = &w->m.terms;
  term there = term_and (p, now (w, w->started), term_not (p, now (w, w->gone)));
  uint32_t handle = efsm_add_variable (&w->m, 8, 0, term_const (p, 8, 0), "handle");
  term means_it = handle_is_known ? p->truth : term_eq (p, now (w, handle), term_const (p, 8, 2));
  term found = term_and (p, means_it, there);
  return term_or (p, term_not (p, found), term_and (p, found, now (w, w->ended)));
}

static void make_family (family *f, bool handle_is_known) {
  two *w = &f->w;
  *f = (family){0};
  efsm_init (&w->m);
  efsm *m = &w->m;
  w->x = efsm_add_variable (m, 1, IR_NONE, m->terms.falsity, "x");
  efsm_add_thread (m);
  efsm_add_thread (m);
  add_flags (w);
  uint32_t *all[] = {&f->before, &f->start, &f->between, &f->join, &f->after};
  for (uint32_t k = 0; k < 5; k++) *all[k] = add_point (w, 0);
  for (uint32_t k = 0; k < 5; k += 2) add_flip (w, *all[k], w->x);
  f->child = add_point (w, 1);
  m->threads.data[0].start = f->before;
  m->threads.data[1].start = f->child;
  efsm_set (m, f->start, w->started, m->terms.truth);
  efsm_set (m, f->join, w->gone, m->terms.truth);
  m->points.data[f->join].joins = true;
  add_flip (w, f->child, w->x);
  for (uint32_t k = 0; k < 4; k++)
    efsm_add_exit (m, *all[k], *all[k + 1], k == 3 ? join_guard (w, handle_is_known) : m->terms.truth);
}

static void alone_before_and_after (void **state) {
  (void) state;
  family f;
  make_family (&f, true);
  efsm_find_movers (&f.w.m);
  expect (&f.w, f.before, false, false);
  expect (&f.w, f.start, true, true);
  expect (&f.w, f.between, true, true);
  expect (&f.w, f.join, true, true);
  expect (&f.w, f.after, false, false);
  expect (&f.w, f.child, true, true);
  efsm_release (&f.w.m);
}

// The join may name no thread, and then does not wait.
static void join_of_who_knows_whom (void **state) {
  (void) state;
  family f;
  make_family (&f, false);
  efsm_find_movers (&f.w.m);
  expect (&f.w, f.before, false, false);
  expect (&f.w, f.after, true, true);
  efsm_release (&f.w.m);
}

// Some thread detaches the second one: then it counts as gone, but runs.
static void join_after_detach (void **state) {
  (void) state;
  family f;
  make_family (&f, true);
  efsm_set (&f.w.m, f.between, f.w.gone, f.w.m.terms.truth);
  efsm_find_movers (&f.w.m);
  expect (&f.w, f.after, true, true);
  efsm_release (&f.w.m);
}

TEST_MAIN (cmocka_unit_test (protected_access_moves), cmocka_unit_test (unprotected_access_stays),
           cmocka_unit_test (access_without_a_value_stays), cmocka_unit_test (observed_lock_does_not_move),
           cmocka_unit_test (foreign_release_protects_nothing), cmocka_unit_test (alone_before_and_after),
           cmocka_unit_test (join_of_who_knows_whom), cmocka_unit_test (join_after_detach))
