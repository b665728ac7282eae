// Names of locks: when two places name one lock, what a lock may be, and which kind of mutex.
#include "engine/locks/states/states_impl.h"

#include "engine/locks/states/states_test.h"

static uint32_t lock_of (fixture *f, const char *edge) {
  return use_lock (step_lock (&f->a, edge_of (f, edge), 0, false));
}

static void an_address_names_one_lock_everywhere (void **state) {
  (void) state;
  fixture f;
  fixture_init (
      &f,
      CREATE (
          "one",
          "0:64") "r9 = mutex_lock &a name 'start'; r9 = mutex_lock &b name 'b'; r9 = rw_wrlock &a name 'rw'; " EXIT,
      "r1 = assign &a; r9 = mutex_unlock r1 name 'one'; " RETURN, NULL, NULL);
  assert_int_equal (lock_of (&f, "start"), lock_of (&f, "one"));
  assert_int_not_equal (lock_of (&f, "start"), lock_of (&f, "b"));
  assert_int_not_equal (lock_of (&f, "start"), lock_of (&f, "rw"));
  assert_true (lock_is_fixed (&f.a.locks, lock_of (&f, "start")));
  assert_false (lock_is_vague (&f.a.locks, lock_of (&f, "start")));
  assert_false (lock_may_equal (&f.a.locks, lock_of (&f, "start"), lock_of (&f, "b")));
  assert_false (lock_may_equal (&f.a.locks, lock_of (&f, "start"), lock_of (&f, "rw")));
  fixture_release (&f);
}

// The same element of the array, in a wrapper and in its caller.
static void a_wrapper_takes_the_lock_of_its_caller (void **state) {
  (void) state;
  fixture f;
  fixture_init (&f, CREATE ("one", "0:64") EXIT,
                "r6 = nondet; r1 = assign (&s + (sext.64(r6) * 48:64)); r2 = call &help, r1, 0:64; "
                "store.8 (r1 + 40:64), 1:64 name 'data'; r9 = mutex_unlock r1 name 'own'; " RETURN,
                NULL, "r9 = mutex_lock r0 name 'wrapped'; " RETURN);
  effect e = only_state (&f, "one", "data");
  assert_int_equal (e.num_held, 1);
  assert_int_equal (use_lock ((lock_use){e.held[0].use}), lock_of (&f, "own"));
  assert_false (lock_is_fixed (&f.a.locks, lock_of (&f, "own")));
  assert_false (lock_is_vague (&f.a.locks, lock_of (&f, "own")));
  const lock_node *n = lock_at (&f.a.locks, lock_of (&f, "own"));
  address data = address_of (&f, "data", 0);
  assert_int_equal (n->base, data.base.i);  // it lies beside the data
  assert_int_equal (data.offset - n->offset, 40);
  fixture_release (&f);
}

static void a_lock_behind_a_stable_pointer_is_fixed (void **state) {
  (void) state;
  fixture f;
  fixture_init (&f, "store.8 &p, &a; " CREATE ("one", "0:64") "r0 = load.8 &p; r9 = mutex_lock r0 name 'start'; " EXIT,
                "r1 = load.8 &p; r9 = mutex_lock r1 name 'one'; " RETURN, NULL, NULL);
  assert_int_equal (lock_of (&f, "start"), lock_of (&f, "one"));
  assert_true (lock_is_fixed (&f.a.locks, lock_of (&f, "one")));
  assert_true (lock_may_equal (&f.a.locks, lock_of (&f, "one"), mutex_named (&f, "a")));
  fixture_release (&f);
  fixture_init (&f, CREATE ("one", "0:64") "store.8 &p, &a; r0 = load.8 &p; r9 = mutex_lock r0 name 'start'; " EXIT,
                "r1 = load.8 &p; r9 = mutex_lock r1 name 'one'; " RETURN, NULL, NULL);
  assert_int_not_equal (lock_of (&f, "start"), lock_of (&f, "one"));
  assert_false (lock_is_fixed (&f.a.locks, lock_of (&f, "one")));
  fixture_release (&f);
}

// ---- vague locks -------------------------------------------------------------------------------------------------------
#define EITHER(A, B, L) "r10 = nondet; r2 = assign " A "; if r10 L" L "; r2 = assign " B "; L" L ": "

static uint32_t vague_at (fixture *f, lock_family family, const char *edge, int64_t offset) {
  return lock_vague (&f->a.locks, family, (lock_site){edge_of (f, edge), 0, offset});
}

static void vague_locks_with_equal_places_have_one_name (void **state) {
  (void) state;
  fixture f;
  fixture_init (&f, CREATE ("one", "0:64") EITHER ("&a", "&b", "1") "r9 = mutex_lock r2 name 'ab'; " EXIT,
                EITHER ("&b", "&a", "1") "r9 = mutex_lock r2 name 'ba'; " RETURN, NULL, NULL);
  assert_int_equal (vague_at (&f, LOCK_MUTEX, "ab", 0), vague_at (&f, LOCK_MUTEX, "ba", 0));
  assert_int_not_equal (vague_at (&f, LOCK_MUTEX, "ab", 0), vague_at (&f, LOCK_MUTEX, "ab", 8));
  assert_int_not_equal (vague_at (&f, LOCK_MUTEX, "ab", 0), vague_at (&f, LOCK_SPIN, "ab", 0));
  assert_true (lock_is_vague (&f.a.locks, vague_at (&f, LOCK_MUTEX, "ab", 0)));
  assert_false (lock_is_fixed (&f.a.locks, vague_at (&f, LOCK_MUTEX, "ab", 0)));
  fixture_release (&f);
}

static void a_vague_lock_may_be_what_its_place_points_to (void **state) {
  (void) state;
  fixture f;
  fixture_init (&f, CREATE ("one", "0:64") EITHER ("&a", "&b", "1") "r9 = mutex_lock r2 name 'ab'; " EXIT,
                "r1 = nondet; r9 = mutex_lock r1 name 'anything'; " RETURN,
                EITHER ("&c", "&b", "1") "r9 = mutex_lock r2 name 'cb'; " RETURN, NULL);
  uint32_t ab = vague_at (&f, LOCK_MUTEX, "ab", 0), anything = vague_at (&f, LOCK_MUTEX, "anything", 0);
  assert_true (lock_may_equal (&f.a.locks, ab, mutex_named (&f, "a")));
  assert_true (lock_may_equal (&f.a.locks, mutex_named (&f, "b"), ab));
  assert_false (lock_may_equal (&f.a.locks, ab, mutex_named (&f, "c")));
  assert_true (lock_may_equal (&f.a.locks, ab, vague_at (&f, LOCK_MUTEX, "cb", 0)));
  assert_true (lock_may_equal (&f.a.locks, anything, mutex_named (&f, "c")));
  assert_false (lock_may_equal (&f.a.locks, anything, lock_in (&f, LOCK_RW, "w", 0)));
  assert_int_equal (lock_forgotten (&f.a.locks, lock_of (&f, "ab")), ab);
  assert_int_equal (lock_forgotten (&f.a.locks, mutex_named (&f, "a")), mutex_named (&f, "a"));
  fixture_release (&f);
}

static void the_places_of_a_lock (void **state) {
  (void) state;
  fixture f;
  fixture_init (&f, CREATE ("one", "0:64") EITHER ("&a", "&s+48", "1") "r9 = mutex_lock r2 name 'either'; " EXIT,
                "r1 = nondet; r9 = mutex_lock r1 name 'anything'; " RETURN, NULL, NULL);
  lock_places at = {0}, anything = {0};
  lock_places_of (&f.a.locks, vague_at (&f, LOCK_MUTEX, "either", 8), &at);
  assert_false (at.anything);
  assert_int_equal (at.at.count, 2);
  assert_int_equal (at.at.data[0].offset, 8);
  assert_int_equal (at.at.data[1].offset, 56);
  lock_places_of (&f.a.locks, lock_of (&f, "anything"), &anything);
  assert_true (anything.anything);
  vec_release (&at.at);
  vec_release (&anything.at);
  fixture_release (&f);
}

// ---- kinds -------------------------------------------------------------------------------------------------------------
static bool may_be (fixture *f, const char *mutex, ir_mutex_kind kind, bool late) {
  return lock_may_be (&f->a.locks, mutex_named (f, mutex), kind, late);
}

static void a_mutex_has_the_kind_it_was_given (void **state) {
  (void) state;
  fixture f;
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
  fixture f;
  fixture_init (&f, CREATE ("one", "0:64") EXIT,
                "r6 = nondet; r9 = mutex_lock (&s + sext.64(r6)) name 's[{}].m' (r6); " RETURN, NULL, NULL);
  arena *a = arena_new ();
  assert_string_equal (lock_name (&f.a.locks, mutex_named (&f, "a"), a), "a");
  assert_string_equal (lock_name (&f.a.locks, lock_in (&f, LOCK_MUTEX, "s", 48), a), "s+48");
  assert_string_equal (lock_name (&f.a.locks, lock_of (&f, "s[{}].m"), a), "s[...].m");
  arena_free (a);
  fixture_release (&f);
}

TEST_MAIN (cmocka_unit_test (an_address_names_one_lock_everywhere),
           cmocka_unit_test (a_wrapper_takes_the_lock_of_its_caller),
           cmocka_unit_test (a_lock_behind_a_stable_pointer_is_fixed),
           cmocka_unit_test (vague_locks_with_equal_places_have_one_name),
           cmocka_unit_test (a_vague_lock_may_be_what_its_place_points_to), cmocka_unit_test (the_places_of_a_lock),
           cmocka_unit_test (a_mutex_has_the_kind_it_was_given), cmocka_unit_test (names_for_people))
