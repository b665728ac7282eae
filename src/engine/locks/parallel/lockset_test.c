// LOCK theorem 5 on small programs: may two threads be before the accesses named `one` and `two` at once?
#include "engine/locks/parallel/parallel.h"

#include "engine/locks/states/states_test.h"

static bool meet_in (lock_fixture *f, bool same_address) {
  locksets g;
  locksets_init (&g, &f->a);
  states one = states_at (f, "one", "one"), two = states_at (f, "two", "two");
  bool may = false;
  for (uint32_t i = 0; i < one.count; i++)
    for (uint32_t k = 0; k < two.count; k++) {
      uint32_t x = lockset_of_state (&g, &one.data[i], address_of (f, "one", 0)),
               y = lockset_of_state (&g, &two.data[k], address_of (f, "two", 0));
      assert_int_equal (locksets_compatible (&g, x, y, same_address), locksets_compatible (&g, y, x, same_address));
      may |= locksets_compatible (&g, x, y, same_address);
    }
  assert_true (one.count && two.count);
  vec_release (&one);
  vec_release (&two);
  locksets_release (&g);
  return may;
}

static bool meet_with (const char *one, const char *two, bool same_address) {
  lock_fixture f;
  fixture_init (&f, BOTH EXIT, one, two, NULL);
  bool may = meet_in (&f, same_address);
  fixture_release (&f);
  return may;
}

static bool edges_compatible (const char *one, const char *two) { return meet_with (one, two, false); }

#define ONE WRITE ("one")
#define TWO WRITE ("two")
#define PASS(M) LOCK (M) UNLOCK (M)  // takes it and gives it back: a history

static void a_common_lock_excludes (void **state) {
  (void) state;
  assert_false (edges_compatible (LOCK ("&a") ONE UNLOCK ("&a") RETURN, LOCK ("&a") TWO UNLOCK ("&a") RETURN));
  assert_true (edges_compatible (LOCK ("&a") ONE UNLOCK ("&a") RETURN, LOCK ("&b") TWO UNLOCK ("&b") RETURN));
  assert_true (edges_compatible (LOCK ("&a") ONE UNLOCK ("&a") RETURN, PASS ("&a") TWO RETURN));
  assert_true (edges_compatible (LOCK ("&a") ONE UNLOCK ("&a") RETURN, TWO RETURN));
}

static void inconsistent_histories_exclude (void **state) {
  (void) state;
  assert_false (edges_compatible (LOCK ("&a") PASS ("&b") ONE UNLOCK ("&a") RETURN,
                                  LOCK ("&b") PASS ("&a") TWO UNLOCK ("&b") RETURN));
}

static void histories_that_agree_do_not_exclude (void **state) {
  (void) state;
  assert_true (
      edges_compatible (LOCK ("&a") PASS ("&b") ONE UNLOCK ("&a") RETURN, LOCK ("&b") TWO UNLOCK ("&b") RETURN));
  assert_true (edges_compatible (LOCK ("&a") PASS ("&b") ONE UNLOCK ("&a") RETURN,
                                 LOCK ("&b") PASS ("&c") TWO UNLOCK ("&b") RETURN));
  assert_true (edges_compatible (PASS ("&b") LOCK ("&a") ONE UNLOCK ("&a") RETURN,
                                 LOCK ("&b") PASS ("&a") TWO UNLOCK ("&b") RETURN));  // b before a
}

#define READER "r9 = rw_rdlock &w; "
#define WRITER "r9 = rw_wrlock &w; "
#define LEAVE "r9 = rw_unlock &w; "

static void readers_do_not_exclude_each_other (void **state) {
  (void) state;
  assert_true (edges_compatible (READER ONE LEAVE RETURN, READER TWO LEAVE RETURN));
  assert_false (edges_compatible (READER ONE LEAVE RETURN, WRITER TWO LEAVE RETURN));
  assert_false (edges_compatible (WRITER ONE LEAVE RETURN, WRITER TWO LEAVE RETURN));
  assert_true (
      edges_compatible (LOCK ("&a") READER LEAVE ONE UNLOCK ("&a") RETURN, READER PASS ("&a") TWO LEAVE RETURN));
  assert_false (
      edges_compatible (LOCK ("&a") READER LEAVE ONE UNLOCK ("&a") RETURN, WRITER PASS ("&a") TWO LEAVE RETURN));
}

static void what_may_be_another_lock_does_not_exclude (void **state) {
  (void) state;
  assert_true (edges_compatible (
      "r10 = nondet; r2 = assign &a; if r10 L1; r2 = assign &b; L1: " LOCK ("r2") "r2 = assign &c; " ONE RETURN,
      LOCK ("&a") TWO UNLOCK ("&a") RETURN));
}

// Mutexes that check for errors stay trusted, whoever gives them back.
static void what_may_have_been_given_back_does_not_exclude (void **state) {
  (void) state;
  lock_fixture f;
  fixture_init (&f, "mutex_init &a, 2:32; mutex_init &b, 2:32; " BOTH EXIT,
                LOCK ("&a") "r10 = nondet; r2 = assign &a; if r10 L1; r2 = assign &b; L1: " UNLOCK ("r2") ONE RETURN,
                LOCK ("&a") TWO UNLOCK ("&a") RETURN, NULL);
  assert_true (lock_is_disciplined (&f.a, mutex_named (&f, "a")));
  assert_true (meet_in (&f, false));
  fixture_release (&f);
}

// Each element of s is a mutex with data behind it.
#define ELEMENT "r6 = nondet; r1 = assign (&s + (sext.64(r6) * 48:64)); "
#define DATA(NAME, DISTANCE) "store.8 (r1 + " DISTANCE ":64), 1:64 name '" NAME "'; "

static void a_lock_beside_the_data_excludes_who_has_the_same_data (void **state) {
  (void) state;
  const char *one = ELEMENT LOCK ("r1") DATA ("one", "40") UNLOCK ("r1") RETURN;
  assert_false (meet_with (one, ELEMENT LOCK ("r1") DATA ("two", "40") UNLOCK ("r1") RETURN, true));
  assert_true (meet_with (one, ELEMENT LOCK ("r1") DATA ("two", "40") UNLOCK ("r1") RETURN, false));
  assert_true (meet_with (one, ELEMENT LOCK ("(r1 + 48:64)") DATA ("two", "40") UNLOCK ("(r1 + 48:64)") RETURN, true));
  assert_true (meet_with (one, ELEMENT DATA ("two", "40") RETURN, true));
}

#define ONCE(BODY) "r8 = once_begin &o; if (r8 == 0:32) L1; " BODY "once_end &o; L1: "

static void what_runs_once_is_over_for_who_has_seen_it_done (void **state) {
  (void) state;
  assert_false (edges_compatible (ONCE (ONE) RETURN, ONCE (TWO) RETURN));
  assert_false (edges_compatible (ONCE (ONE) RETURN, ONCE ("") TWO RETURN));
  assert_true (edges_compatible (ONCE ("") ONE RETURN, ONCE ("") TWO RETURN));
  assert_true (edges_compatible (ONCE (ONE) RETURN, TWO RETURN));
}

static void atomic_regions_exclude_each_other (void **state) {
  (void) state;
  assert_false (
      edges_compatible ("atomic_begin; " ONE "atomic_end; " RETURN, "atomic_begin; " TWO "atomic_end; " RETURN));
  assert_true (edges_compatible ("atomic_begin; " ONE "atomic_end; " RETURN, TWO RETURN));
}

static void load_guard (locksets *t, const effect *e, lockset *out) {
  lockset_load (t, lockset_of_state (t, e, (term_address){{VALUE_NONE}, 0}), out);
}

static void assert_weaker (const char *one, const char *two) {
  lock_fixture f;
  locksets t;
  lockset weak, strong, lost;
  fixture_init (&f, BOTH EXIT, one, two, NULL);
  locksets_init (&t, &f.a);
  effect e = only_state (&f, "one", "one"), other = only_state (&f, "two", "two");
  load_guard (&t, &e, &weak);
  load_guard (&t, &other, &strong);
  assert_true (lockset_subsumes (&t, &weak, &strong));
  assert_true (lockset_subsumes (&t, &strong, &strong));
  assert_false (lockset_subsumes (&t, &strong, &weak));
  other.overflowed = true;
  load_guard (&t, &other, &lost);
  assert_true (lockset_subsumes (&t, &lost, &weak));
  locksets_release (&t);
  fixture_release (&f);
}

static void a_guard_covers_one_that_has_more (void **state) {
  (void) state;
  assert_weaker (LOCK ("&a") ONE RETURN, LOCK ("&a") LOCK ("&b") TWO RETURN);
  assert_weaker (PASS ("&b") LOCK ("&a") ONE RETURN,
                 PASS ("&b") LOCK ("&a") PASS ("&b") TWO RETURN);  // a longer history
}

TEST_MAIN (cmocka_unit_test (a_common_lock_excludes), cmocka_unit_test (inconsistent_histories_exclude),
           cmocka_unit_test (histories_that_agree_do_not_exclude), cmocka_unit_test (readers_do_not_exclude_each_other),
           cmocka_unit_test (what_may_be_another_lock_does_not_exclude),
           cmocka_unit_test (what_may_have_been_given_back_does_not_exclude),
           cmocka_unit_test (a_lock_beside_the_data_excludes_who_has_the_same_data),
           cmocka_unit_test (what_runs_once_is_over_for_who_has_seen_it_done),
           cmocka_unit_test (atomic_regions_exclude_each_other), cmocka_unit_test (a_guard_covers_one_that_has_more))
