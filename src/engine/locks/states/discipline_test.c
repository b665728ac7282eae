// Which locks are disciplined: each rule with a program where it applies and one where it does not.
#include "engine/locks/states/states_impl.h"

#include "engine/locks/states/states_test.h"

static bool trusted_at (const char *start, const char *one, const char *two, const char *object, uint32_t offset) {
  lock_fixture f;
  fixture_init (&f, start, one, two, NULL);
  bool yes = lock_is_disciplined (&f.a, lock_in (&f, IR_F_MUTEX, object, offset));
  fixture_release (&f);
  return yes;
}

static bool mutex_is_disciplined (const char *start, const char *one, const char *two) {
  return trusted_at (start, one, two, "a", 0);
}

#define USE LOCK ("&a") WRITE ("use") UNLOCK ("&a") RETURN
#define EITHER(A, B) "r10 = nondet; r2 = assign " A "; if r10 L1; r2 = assign " B "; L1: "

static void a_lock_given_back_by_its_holder_is_trusted (void **state) {
  (void) state;
  assert_true (mutex_is_disciplined (BOTH EXIT, USE, USE));
}

static void a_lock_given_back_by_another_thread_is_not (void **state) {
  (void) state;
  assert_false (mutex_is_disciplined (BOTH EXIT, USE, UNLOCK ("&a") RETURN));
  assert_false (mutex_is_disciplined (BOTH EXIT, LOCK ("&a") RETURN, UNLOCK ("&a") RETURN));
  assert_true (trusted_at (BOTH EXIT, USE, UNLOCK ("&a") RETURN, "b", 0));
  assert_false (mutex_is_disciplined (BOTH EXIT, USE, LOCK ("&a") UNLOCK ("&a") UNLOCK ("&a") RETURN));
  assert_false (
      mutex_is_disciplined (BOTH EXIT, USE, "r10 = nondet; if r10 L1; " LOCK ("&a") "L1: " UNLOCK ("&a") RETURN));
}

static void who_does_not_hold_a_checking_mutex_cannot_give_it_back (void **state) {
  (void) state;
  assert_true (mutex_is_disciplined ("mutex_init &a, 2:32; " BOTH EXIT, USE, UNLOCK ("&a") RETURN));
  assert_true (mutex_is_disciplined ("mutex_init &a, 1:32; " BOTH EXIT, USE, UNLOCK ("&a") RETURN));
  assert_false (mutex_is_disciplined ("mutex_init &a, 0:32; " BOTH EXIT, USE, UNLOCK ("&a") RETURN));
}

static void a_release_of_some_lock_may_be_of_any_of_them (void **state) {
  (void) state;
  const char *some = LOCK ("&a") EITHER ("&a", "&b") UNLOCK ("r2") RETURN;
  assert_false (mutex_is_disciplined (BOTH EXIT, USE, some));
  assert_false (trusted_at (BOTH EXIT, USE, some, "b", 0));
  assert_true (trusted_at (BOTH EXIT, USE, some, "c", 0));
  assert_false (trusted_at (BOTH EXIT, USE, "r2 = nondet; " UNLOCK ("r2") RETURN, "c", 0));
  const char *same = EITHER ("&a", "&b") LOCK ("r2") UNLOCK ("r2") RETURN;  // by one name: what was taken
  assert_true (mutex_is_disciplined (BOTH EXIT, USE, same));
}

#define WAIT "cond_wait &c, &a; r9 = cond_resume &c, &a; "

static void waiting_gives_the_lock_back (void **state) {
  (void) state;
  assert_true (mutex_is_disciplined (BOTH EXIT, USE, LOCK ("&a") WAIT UNLOCK ("&a") RETURN));
  assert_false (mutex_is_disciplined (BOTH EXIT, USE, WAIT UNLOCK ("&a") RETURN));
}

static void a_lock_is_initialised_while_no_other_thread_runs (void **state) {
  (void) state;
  assert_true (mutex_is_disciplined ("mutex_init &a, 0:32; " BOTH EXIT, USE, USE));
  assert_false (mutex_is_disciplined (BOTH "mutex_init &a, 0:32; " EXIT, USE, USE));
  assert_false (mutex_is_disciplined (BOTH EXIT, USE, "mutex_init &a, 0:32; " USE));
  assert_true (mutex_is_disciplined (CREATE ("one", "0:64") JOIN "mutex_init &a, 0:32; " EXIT, USE, NULL));
  assert_false (mutex_is_disciplined (CREATE ("one", "0:64") "mutex_init &a, 0:32; " JOIN EXIT, USE, NULL));
  assert_false (mutex_is_disciplined (LOCK ("&a") "mutex_init &a, 0:32; " BOTH EXIT, USE, USE));
  assert_true (mutex_is_disciplined (LOCK ("&b") "mutex_init &a, 0:32; " BOTH EXIT, USE, USE));
}

static bool gets_behind (const char *two) {
  lock_fixture f;
  fixture_init (&f, BOTH EXIT, LOCK ("&a") LOCK ("&a") WRITE ("behind") RETURN, two, NULL);
  states all = states_at (&f, "one", "behind");
  bool yes = all.count > 0;
  vec_release (&all);
  fixture_release (&f);
  return yes;
}

static void who_waits_for_himself_goes_on_if_others_give_the_lock_back (void **state) {
  (void) state;
  assert_false (gets_behind (USE));
  assert_true (gets_behind (UNLOCK ("&a") RETURN));
  assert_true (gets_behind ("mutex_init &a, 0:32; " RETURN));
}

static void a_lock_is_destroyed_while_no_other_thread_runs (void **state) {
  (void) state;
  assert_true (mutex_is_disciplined (CREATE ("one", "0:64") JOIN "r9 = mutex_destroy &a; " EXIT, USE, NULL));
  assert_false (mutex_is_disciplined (CREATE ("one", "0:64") "r9 = mutex_destroy &a; " EXIT, USE, NULL));
}

static void a_store_over_a_lock_breaks_it (void **state) {
  (void) state;
  assert_false (mutex_is_disciplined (BOTH EXIT, USE, "store.4 &a+8, 0:32; " RETURN));
  assert_true (mutex_is_disciplined ("store.4 &a+8, 0:32; " BOTH EXIT, USE, USE));
  assert_false (mutex_is_disciplined (LOCK ("&a") "store.4 &a+8, 0:32; " BOTH EXIT, USE, USE));
  assert_true (mutex_is_disciplined (BOTH EXIT, USE, "store.4 &x, 0:32; " RETURN));
  const char *element = LOCK ("&s+48") UNLOCK ("&s+48") RETURN;
  assert_true (trusted_at (BOTH EXIT, element, "store.8 &s+40, 0:64; " RETURN, "s", 48));
  assert_true (trusted_at (BOTH EXIT, element, "store.8 &s+88, 0:64; " RETURN, "s", 48));
  assert_false (trusted_at (BOTH EXIT, element, "store.8 &s+80, 0:64; " RETURN, "s", 48));
  assert_false (trusted_at (BOTH EXIT, element, "store.8 &s+44, 0:64; " RETURN, "s", 48));
  assert_false (trusted_at (BOTH EXIT, element, "r1 = nondet; store_raw.8 r1, 0:64, 0:8; " RETURN, "s", 48));
}

static void places_can_be_declared_untrusted (void **state) {
  (void) state;
  lock_fixture f;
  fixture_init (&f, BOTH EXIT, LOCK ("&s") UNLOCK ("&s") RETURN, LOCK ("&s+48") UNLOCK ("&s+48") RETURN, NULL);
  uint32_t object =
      value_node_at (&f.a.values, value_of_expr (&f.a.values, f.program->start, address_named (&f, "s", 0)))->a;
  uint32_t first = lock_in (&f, IR_F_MUTEX, "s", 0), second = lock_in (&f, IR_F_MUTEX, "s", 48);
  assert_true (lock_is_disciplined (&f.a, first) && lock_is_disciplined (&f.a, second));
  mark_undisciplined (&f.a, (pointsto_target){object, 48});
  assert_true (lock_is_disciplined (&f.a, first));
  assert_false (lock_is_disciplined (&f.a, second));
  mark_undisciplined (&f.a, (pointsto_target){object, POINTSTO_ANY_OFFSET});
  assert_false (lock_is_disciplined (&f.a, first));
  fixture_release (&f);
}

static void unshared_is_what_no_other_thread_can_reach (void **state) {
  (void) state;
  lock_fixture f;
  fixture_init (
      &f,
      "store.8 &x, 0:64 name 'early'; " CREATE ("one", "0:64") "store.8 &x, 0:64 name 'during'; " JOIN
                                                               "store.8 &x, 0:64 name 'after'; " EXIT,
      "r1 = alloc heap 8:64; store.8 r1, 0:64 name 'own'; store.8 &p, r1; store.8 r1, 0:64 name 'given away'; " RETURN,
      NULL, NULL);
  assert_true (object_is_unshared (&f.a, edge_of (&f, "early")));
  assert_false (object_is_unshared (&f.a, edge_of (&f, "during")));
  assert_true (object_is_unshared (&f.a, edge_of (&f, "after")));
  assert_true (object_is_unshared (&f.a, edge_of (&f, "own")));
  assert_false (object_is_unshared (&f.a, edge_of (&f, "given away")));
  fixture_release (&f);
}

TEST_MAIN (cmocka_unit_test (a_lock_given_back_by_its_holder_is_trusted),
           cmocka_unit_test (a_lock_given_back_by_another_thread_is_not),
           cmocka_unit_test (who_does_not_hold_a_checking_mutex_cannot_give_it_back),
           cmocka_unit_test (a_release_of_some_lock_may_be_of_any_of_them),
           cmocka_unit_test (waiting_gives_the_lock_back),
           cmocka_unit_test (a_lock_is_initialised_while_no_other_thread_runs),
           cmocka_unit_test (who_waits_for_himself_goes_on_if_others_give_the_lock_back),
           cmocka_unit_test (a_lock_is_destroyed_while_no_other_thread_runs),
           cmocka_unit_test (a_store_over_a_lock_breaks_it), cmocka_unit_test (places_can_be_declared_untrusted),
           cmocka_unit_test (unshared_is_what_no_other_thread_can_reach))
