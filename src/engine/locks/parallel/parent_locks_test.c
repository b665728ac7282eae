// What the creators of threads hold: may threads be before two named accesses at once, as far as creation tells?
#include "engine/locks/parallel/parallel.h"

#include "engine/locks/states/states_test.h"

// Does it exclude every pair of states?  Accesses are called like the threads that make them.
static bool excluded (const char *start, const char *one, const char *two, const char *x, const char *y) {
  lock_fixture f;
  locksets g;
  parent_locks c;
  fixture_init (&f, start, one, two, NULL);
  locksets_init (&g, &f.a);
  parent_locks_init (&c, &f.a, &g);
  states at_x = states_at (&f, x, x), at_y = states_at (&f, y, y);
  bool all = at_x.count && at_y.count;
  for (uint32_t i = 0; i < at_x.count; i++)
    for (uint32_t k = 0; k < at_y.count; k++) {
      lockset a, b;
      lockset_load (&g, lockset_of_state (&g, &at_x.data[i], (term_address){{VALUE_NONE}, 0}), &a);
      lockset_load (&g, lockset_of_state (&g, &at_y.data[k], (term_address){{VALUE_NONE}, 0}), &b);
      bool one_way = parent_locks_exclude (&c, kind_named (&f, x), &a, kind_named (&f, y), &b);
      assert_int_equal (one_way, parent_locks_exclude (&c, kind_named (&f, y), &b, kind_named (&f, x), &a));
      all &= one_way;
    }
  vec_release (&at_x);
  vec_release (&at_y);
  parent_locks_release (&c);
  locksets_release (&g);
  fixture_release (&f);
  return all;
}

#define TWO "r9 = thread_create &h+8, &two, 0:64; "
#define ONE CREATE ("one", "0:64")
#define START WRITE ("start")
#define LOCKED(NAME) LOCK ("&a") WRITE (NAME) UNLOCK ("&a") RETURN

// ---- held until the thread has ended --------------------------------------------------------------------------------
static void a_lock_held_around_a_thread_protects_it (void **state) {
  (void) state;
  const char *around = TWO LOCK ("&a") ONE JOIN UNLOCK ("&a") START EXIT;
  assert_true (excluded (around, WRITE ("one") RETURN, LOCKED ("two"), "one", "two"));
  assert_false (excluded (around, WRITE ("one") RETURN, WRITE ("two") RETURN, "one", "two"));
}

static void a_lock_given_back_before_the_thread_has_ended_does_not (void **state) {
  (void) state;
  assert_false (
      excluded (TWO LOCK ("&a") ONE UNLOCK ("&a") JOIN EXIT, WRITE ("one") RETURN, LOCKED ("two"), "one", "two"));
  assert_false (excluded (TWO LOCK ("&a") ONE "cond_wait &c, &a; r9 = cond_resume &c, &a; " JOIN UNLOCK ("&a") EXIT,
                          WRITE ("one") RETURN, LOCKED ("two"), "one", "two"));
  assert_false (excluded (TWO "r10 = nondet; if r10 L1; " LOCK ("&a") "L1: " ONE JOIN EXIT, WRITE ("one") RETURN,
                          LOCKED ("two"), "one", "two"));
}

static void a_lock_held_for_reading_does_not (void **state) {
  (void) state;
  const char *two = "r9 = rw_wrlock &w; " WRITE ("two") "r9 = rw_unlock &w; " RETURN;
  assert_false (excluded (TWO "r9 = rw_rdlock &w; " ONE JOIN "r9 = rw_unlock &w; " EXIT, WRITE ("one") RETURN, two,
                          "one", "two"));
  assert_true (excluded (TWO "r9 = rw_wrlock &w; " ONE JOIN "r9 = rw_unlock &w; " EXIT, WRITE ("one") RETURN, two,
                         "one", "two"));
}

static void the_creator_is_not_kept_away_by_its_own_lock (void **state) {
  (void) state;
  assert_false (excluded (LOCK ("&a") ONE START JOIN UNLOCK ("&a") EXIT, WRITE ("one") RETURN, NULL, "one", "start"));
}

static void threads_of_one_creator_are_not_kept_apart_by_its_lock (void **state) {
  (void) state;
  assert_false (excluded (LOCK ("&a") TWO ONE JOIN "r5 = load.8 &h+8; r4 = thread_join r5; " UNLOCK ("&a") EXIT,
                          WRITE ("one") RETURN, WRITE ("two") RETURN, "one", "two"));
}

static void an_atomic_region_of_the_creator_covers_no_thread (void **state) {
  (void) state;
  assert_false (excluded (TWO "atomic_begin; " ONE "atomic_end; " JOIN EXIT, WRITE ("one") RETURN,
                          "atomic_begin; " WRITE ("two") "atomic_end; " RETURN, "one", "two"));
}

// ---- held since the thread was created ------------------------------------------------------------------------------
static void who_took_the_lock_comes_after_who_has_held_it_since (void **state) {
  (void) state;
  const char *after = LOCK ("&a") UNLOCK ("&a") WRITE ("one") RETURN;
  assert_true (excluded (LOCK ("&a") ONE START UNLOCK ("&a") EXIT, after, NULL, "start", "one"));
  assert_false (excluded (LOCK ("&a") ONE START UNLOCK ("&a") EXIT, WRITE ("one") RETURN, NULL, "start", "one"));
}

static void a_lock_that_was_given_back_in_between_does_not_count (void **state) {
  (void) state;
  const char *after = LOCK ("&a") UNLOCK ("&a") WRITE ("one") RETURN;
  assert_false (
      excluded (LOCK ("&a") ONE UNLOCK ("&a") LOCK ("&a") START UNLOCK ("&a") EXIT, after, NULL, "start", "one"));
  assert_false (excluded (ONE LOCK ("&a") START UNLOCK ("&a") EXIT, after, NULL, "start", "one"));
}

static void one_of_many_threads_may_be_from_an_earlier_round (void **state) {
  (void) state;
  const char *after = LOCK ("&a") UNLOCK ("&a") WRITE ("one") RETURN;
  assert_false (excluded ("L1: " LOCK ("&a") ONE START UNLOCK ("&a") "r10 = nondet; if r10 L1; " EXIT, after, NULL,
                          "start", "one"));
}

static void the_thread_of_a_thread_comes_after_too (void **state) {
  (void) state;
  const char *start = LOCK ("&a") ONE START UNLOCK ("&a") EXIT;
  assert_true (excluded (start, LOCK ("&a") UNLOCK ("&a") TWO RETURN, WRITE ("two") RETURN, "start", "two"));
  assert_false (excluded (start, TWO LOCK ("&a") UNLOCK ("&a") RETURN, WRITE ("two") RETURN, "start", "two"));
}

TEST_MAIN (cmocka_unit_test (a_lock_held_around_a_thread_protects_it),
           cmocka_unit_test (a_lock_given_back_before_the_thread_has_ended_does_not),
           cmocka_unit_test (a_lock_held_for_reading_does_not),
           cmocka_unit_test (the_creator_is_not_kept_away_by_its_own_lock),
           cmocka_unit_test (threads_of_one_creator_are_not_kept_apart_by_its_lock),
           cmocka_unit_test (an_atomic_region_of_the_creator_covers_no_thread),
           cmocka_unit_test (who_took_the_lock_comes_after_who_has_held_it_since),
           cmocka_unit_test (a_lock_that_was_given_back_in_between_does_not_count),
           cmocka_unit_test (one_of_many_threads_may_be_from_an_earlier_round),
           cmocka_unit_test (the_thread_of_a_thread_comes_after_too))
