// Names of locks: when two places name one lock, what a lock may be, and which kind of mutex.
#include "engine/locks/states/states_impl.h"

#include "engine/locks/states/states_test.h"

static uint32_t lock_at_edge (lock_fixture *f, const char *edge) {
  return use_lock (edge_lock (&f->a, edge_of (f, edge), 0, false));
}

static void an_address_names_one_lock_everywhere (void **state) {
  (void) state;
  lock_fixture f;
  fixture_init (
      &f,
      CREATE (
          "one",
          "0:64") "r9 = mutex_lock &a name 'start'; r9 = mutex_lock &b name 'b'; r9 = rw_wrlock &a name 'rw'; " EXIT,
      "r1 = assign &a; r9 = mutex_unlock r1 name 'one'; " RETURN, NULL, NULL);
  assert_int_equal (lock_at_edge (&f, "start"), lock_at_edge (&f, "one"));
  assert_int_not_equal (lock_at_edge (&f, "start"), lock_at_edge (&f, "b"));
  assert_int_not_equal (lock_at_edge (&f, "start"), lock_at_edge (&f, "rw"));
  assert_true (lock_is_fixed (&f.a.locks, lock_at_edge (&f, "start")));
  assert_false (lock_is_unresolved (&f.a.locks, lock_at_edge (&f, "start")));
  assert_false (lock_may_alias (&f.a.locks, lock_at_edge (&f, "start"), lock_at_edge (&f, "b")));
  assert_false (lock_may_alias (&f.a.locks, lock_at_edge (&f, "start"), lock_at_edge (&f, "rw")));
  fixture_release (&f);
}

// The same element of the array, in a wrapper and in its caller.
static void a_wrapper_takes_the_lock_of_its_caller (void **state) {
  (void) state;
  lock_fixture f;
  fixture_init (&f, CREATE ("one", "0:64") EXIT,
                "r6 = nondet; r1 = assign (&s + (sext.64(r6) * 48:64)); r2 = call &help, r1, 0:64; "
                "store.8 (r1 + 40:64), 1:64 name 'data'; r9 = mutex_unlock r1 name 'own'; " RETURN,
                NULL, "r9 = mutex_lock r0 name 'wrapped'; " RETURN);
  effect e = only_state (&f, "one", "data");
  assert_int_equal (e.num_held, 1);
  assert_int_equal (use_lock ((lock_use){e.held[0].use}), lock_at_edge (&f, "own"));
  assert_false (lock_is_fixed (&f.a.locks, lock_at_edge (&f, "own")));
  assert_false (lock_is_unresolved (&f.a.locks, lock_at_edge (&f, "own")));
  const lock_node *n = lock_at (&f.a.locks, lock_at_edge (&f, "own"));
  term_address data = address_of (&f, "data", 0);
  assert_int_equal (n->base, data.base.i);  // it lies beside the data
  assert_int_equal (data.offset - n->offset, 40);
  fixture_release (&f);
}

static void a_lock_behind_a_stable_pointer_is_fixed (void **state) {
  (void) state;
  lock_fixture f;
  fixture_init (&f, "store.8 &p, &a; " CREATE ("one", "0:64") "r0 = load.8 &p; r9 = mutex_lock r0 name 'start'; " EXIT,
                "r1 = load.8 &p; r9 = mutex_lock r1 name 'one'; " RETURN, NULL, NULL);
  assert_int_equal (lock_at_edge (&f, "start"), lock_at_edge (&f, "one"));
  assert_true (lock_is_fixed (&f.a.locks, lock_at_edge (&f, "one")));
  assert_true (lock_may_alias (&f.a.locks, lock_at_edge (&f, "one"), mutex_named (&f, "a")));
  fixture_release (&f);
  fixture_init (&f, CREATE ("one", "0:64") "store.8 &p, &a; r0 = load.8 &p; r9 = mutex_lock r0 name 'start'; " EXIT,
                "r1 = load.8 &p; r9 = mutex_lock r1 name 'one'; " RETURN, NULL, NULL);
  assert_int_not_equal (lock_at_edge (&f, "start"), lock_at_edge (&f, "one"));
  assert_false (lock_is_fixed (&f.a.locks, lock_at_edge (&f, "one")));
  fixture_release (&f);
}

// ---- unresolved locks -----------------------------------------------------------------------------------------------
#define EITHER(A, B, L) "r10 = nondet; r2 = assign " A "; if r10 L" L "; r2 = assign " B "; L" L ": "

static uint32_t unresolved_at (lock_fixture *f, ir_family family, const char *edge, int64_t offset) {
  return lock_unresolved (&f->a.locks, family, (lock_site){edge_of (f, edge), 0, offset});
}

static void unresolved_locks_with_equal_places_have_one_name (void **state) {
  (void) state;
  lock_fixture f;
  fixture_init (&f, CREATE ("one", "0:64") EITHER ("&a", "&b", "1") "r9 = mutex_lock r2 name 'ab'; " EXIT,
                EITHER ("&b", "&a", "1") "r9 = mutex_lock r2 name 'ba'; " RETURN, NULL, NULL);
  assert_int_equal (unresolved_at (&f, IR_F_MUTEX, "ab", 0), unresolved_at (&f, IR_F_MUTEX, "ba", 0));
  assert_int_not_equal (unresolved_at (&f, IR_F_MUTEX, "ab", 0), unresolved_at (&f, IR_F_MUTEX, "ab", 8));
  assert_int_not_equal (unresolved_at (&f, IR_F_MUTEX, "ab", 0), unresolved_at (&f, IR_F_SPIN, "ab", 0));
  assert_true (lock_is_unresolved (&f.a.locks, unresolved_at (&f, IR_F_MUTEX, "ab", 0)));
  assert_false (lock_is_fixed (&f.a.locks, unresolved_at (&f, IR_F_MUTEX, "ab", 0)));
  fixture_release (&f);
}

static void an_unresolved_lock_may_be_what_its_place_points_to (void **state) {
  (void) state;
  lock_fixture f;
  fixture_init (&f, CREATE ("one", "0:64") EITHER ("&a", "&b", "1") "r9 = mutex_lock r2 name 'ab'; " EXIT,
                "r1 = nondet; r9 = mutex_lock r1 name 'anything'; " RETURN,
                EITHER ("&c", "&b", "1") "r9 = mutex_lock r2 name 'cb'; " RETURN, NULL);
  uint32_t ab = unresolved_at (&f, IR_F_MUTEX, "ab", 0), anything = unresolved_at (&f, IR_F_MUTEX, "anything", 0);
  assert_true (lock_may_alias (&f.a.locks, ab, mutex_named (&f, "a")));
  assert_true (lock_may_alias (&f.a.locks, mutex_named (&f, "b"), ab));
  assert_false (lock_may_alias (&f.a.locks, ab, mutex_named (&f, "c")));
  assert_true (lock_may_alias (&f.a.locks, ab, unresolved_at (&f, IR_F_MUTEX, "cb", 0)));
  assert_true (lock_may_alias (&f.a.locks, anything, mutex_named (&f, "c")));
  assert_false (lock_may_alias (&f.a.locks, anything, lock_in (&f, IR_F_RWLOCK, "w", 0)));
  assert_int_equal (lock_without_term (&f.a.locks, lock_at_edge (&f, "ab")), ab);
  assert_int_equal (lock_without_term (&f.a.locks, mutex_named (&f, "a")), mutex_named (&f, "a"));
  fixture_release (&f);
}

static void the_places_of_a_lock (void **state) {
  (void) state;
  lock_fixture f;
  fixture_init (&f, CREATE ("one", "0:64") EITHER ("&a", "&s+48", "1") "r9 = mutex_lock r2 name 'either'; " EXIT,
                "r1 = nondet; r9 = mutex_lock r1 name 'anything'; " RETURN, NULL, NULL);
  lock_places at = {0}, anything = {0};
  lock_places_of (&f.a.locks, unresolved_at (&f, IR_F_MUTEX, "either", 8), &at);
  assert_false (at.anything);
  assert_int_equal (at.at.count, 2);
  assert_int_equal (at.at.data[0].offset, 8);
  assert_int_equal (at.at.data[1].offset, 56);
  lock_places_of (&f.a.locks, lock_at_edge (&f, "anything"), &anything);
  assert_true (anything.anything);
  vec_release (&at.at);
  vec_release (&anything.at);
  fixture_release (&f);
}

// ---- kinds ----------------------------------------------------------------------------------------------------------
static bool may_be (lock_fixture *f, const char *mutex, ir_mutex_kind kind, bool threaded) {
  return lock_may_be (&f->a.locks, mutex_named (f, mutex), kind, threaded);
}

static void a_mutex_has_the_kind_it_was_given (void **state) {
  (void) state;
  lock_fixture f;
  fixture_init (
      &f, "mutex_init &a, 1:32; r6 = nondet; mutex_init &c, r6; " CREATE ("one", "0:64") "mutex_init &b, 2:32; " EXIT,
      NULL, NULL, NULL);
  assert_true (may_be (&f, "a", IR_MUTEX_RECURSIVE, true));
  assert_false (may_be (&f, "a", IR_MUTEX_NORMAL, true));
  assert_true (may_be (&f, "a", IR_MUTEX_NORMAL, false));  // before the initialisation
  assert_true (may_be (&f, "b", IR_MUTEX_ERRORCHECK, true));
  assert_true (may_be (&f, "b", IR_MUTEX_NORMAL, true));  // the other thread may be earlier
  assert_false (may_be (&f, "b", IR_MUTEX_RECURSIVE, true));
  for (ir_mutex_kind k = IR_MUTEX_NORMAL; k <= IR_MUTEX_ERRORCHECK; k++) assert_true (may_be (&f, "c", k, true));
  assert_true (may_be (&f, "s", IR_MUTEX_NORMAL, true));
  assert_false (may_be (&f, "s", IR_MUTEX_RECURSIVE, true));
  fixture_release (&f);
}

static void names_for_people (void **state) {
  (void) state;
  lock_fixture f;
  fixture_init (&f, CREATE ("one", "0:64") EXIT,
                "r6 = nondet; r9 = mutex_lock (&s + sext.64(r6)) name 's[{}].m' (r6); " RETURN, NULL, NULL);
  arena *a = arena_new ();
  assert_string_equal (name_of_lock (&f.a.locks, mutex_named (&f, "a"), a), "a");
  assert_string_equal (name_of_lock (&f.a.locks, lock_in (&f, IR_F_MUTEX, "s", 48), a), "s+48");
  assert_string_equal (name_of_lock (&f.a.locks, lock_at_edge (&f, "s[{}].m"), a), "s[...].m");
  arena_free (a);
  fixture_release (&f);
}

TEST_MAIN (cmocka_unit_test (an_address_names_one_lock_everywhere),
           cmocka_unit_test (a_wrapper_takes_the_lock_of_its_caller),
           cmocka_unit_test (a_lock_behind_a_stable_pointer_is_fixed),
           cmocka_unit_test (unresolved_locks_with_equal_places_have_one_name),
           cmocka_unit_test (an_unresolved_lock_may_be_what_its_place_points_to),
           cmocka_unit_test (the_places_of_a_lock), cmocka_unit_test (a_mutex_has_the_kind_it_was_given),
           cmocka_unit_test (names_for_people))
