// Semaphores as locks: the ways to use one that make it a lock, and each way that does not.
#include "engine/locks/states/states_impl.h"

#include "engine/locks/states/states_test.h"

#define INIT "sem_init &a, 1:32; "
#define WAIT "r9 = sem_wait &a; "
#define POST "r9 = sem_post &a; "
#define USE WAIT WRITE ("use") POST RETURN

static bool is_used_as_lock (const char *start, const char *one, const char *two) {
  lock_fixture f;
  fixture_init (&f, start, one, two, NULL);
  bool touched = semaphore_touched (&f.a, edge_of (&f, "taken"));
  bool yes = touched && lock_is_disciplined (&f.a, lock_in (&f, IR_F_SEM, "a", 0));
  fixture_release (&f);
  return yes;
}

#define NAMED "r9 = sem_wait &a name 'taken'; r9 = sem_post &a; " RETURN

static void one_that_starts_with_one_is_a_lock (void **state) {
  (void) state;
  assert_true (is_used_as_lock (INIT BOTH EXIT, NAMED, USE));
  assert_true (is_used_as_lock (INIT INIT BOTH EXIT, NAMED, USE));
  assert_false (is_used_as_lock (BOTH EXIT, NAMED, USE));
  assert_false (is_used_as_lock ("sem_init &a, 2:32; " BOTH EXIT, NAMED, USE));
  assert_false (is_used_as_lock ("sem_init &a, 0:32; " BOTH EXIT, NAMED, USE));
  assert_false (is_used_as_lock (INIT "sem_init &a, 2:32; " BOTH EXIT, NAMED, USE));
  assert_false (is_used_as_lock ("r8 = nondet; sem_init &a, r8; " BOTH EXIT, NAMED, USE));
  assert_false (is_used_as_lock (INIT "r2 = nondet; sem_init r2, 2:32; " BOTH EXIT, NAMED, USE));
}

static void posts_are_for_who_has_waited (void **state) {
  (void) state;
  assert_false (is_used_as_lock (INIT BOTH EXIT, NAMED, POST RETURN));
  assert_false (is_used_as_lock (INIT BOTH EXIT, NAMED, WAIT POST POST RETURN));
  assert_false (is_used_as_lock (INIT BOTH EXIT, NAMED, "r10 = nondet; if r10 L1; " WAIT "L1: " POST RETURN));
  assert_true (is_used_as_lock (INIT BOTH EXIT, NAMED, WAIT RETURN));
}

static void an_attempt_counts_if_it_succeeded (void **state) {
  (void) state;
  assert_false (is_used_as_lock (INIT BOTH EXIT, NAMED, "r9 = sem_trywait &a; " POST RETURN));
  assert_true (is_used_as_lock (INIT BOTH EXIT, NAMED, "r9 = sem_trywait &a; if (r9 != 0:32) L1; " POST "L1: " RETURN));
  assert_false (is_used_as_lock (INIT BOTH EXIT, NAMED, "r9 = sem_timedwait &a; " POST RETURN));
  assert_true (
      is_used_as_lock (INIT BOTH EXIT, NAMED, "r9 = sem_timedwait &a; if (r9 != 0:32) L1; " POST "L1: " RETURN));
}

static void it_is_not_initialised_or_destroyed_in_use (void **state) {
  (void) state;
  assert_false (is_used_as_lock (INIT BOTH INIT EXIT, NAMED, USE));
  assert_false (is_used_as_lock (INIT WAIT INIT BOTH EXIT, NAMED, USE));
  assert_false (is_used_as_lock (INIT BOTH "r9 = sem_destroy &a; " EXIT, NAMED, USE));
  assert_true (is_used_as_lock (INIT CREATE ("one", "0:64") JOIN "r9 = sem_destroy &a; " EXIT, NAMED, NULL));
}

static void no_store_writes_a_number_into_it (void **state) {
  (void) state;
  assert_false (is_used_as_lock (INIT "store.4 &a, 2:32; " BOTH EXIT, NAMED, USE));
  assert_true (is_used_as_lock ("store.4 &a, 0:32; " INIT BOTH EXIT, NAMED, USE));
  assert_false (is_used_as_lock (INIT "r2 = nondet; store_raw.8 r2, 2:64, 0:8; " BOTH EXIT, NAMED, USE));
}

// If it is not used as a lock, another thread may post it.
static void waiting_twice_is_not_the_end (void **state) {
  (void) state;
  lock_fixture f;
  fixture_init (&f, INIT BOTH EXIT, WAIT WAIT WRITE ("behind") RETURN, POST POST RETURN, NULL);
  states all = states_at (&f, "one", "behind");
  assert_true (all.count > 0);
  vec_release (&all);
  fixture_release (&f);
}

TEST_MAIN (cmocka_unit_test (one_that_starts_with_one_is_a_lock), cmocka_unit_test (posts_are_for_who_has_waited),
           cmocka_unit_test (an_attempt_counts_if_it_succeeded),
           cmocka_unit_test (it_is_not_initialised_or_destroyed_in_use),
           cmocka_unit_test (no_store_writes_a_number_into_it), cmocka_unit_test (waiting_twice_is_not_the_end))
