// Atomic variables that are used as locks: which operations acquire and release them, and when they are disciplined.
#include "engine/locks/states/states_impl.h"

#include "engine/locks/states/states_test.h"

// Spins until it has the variable.
#define TAKE(N) "L1: r6, r10 = cmpxchg.4 seq_cst " N ", 0:32, 1:32 name 'take'; if r10 L2; nop -> L1; L2: "
#define EXCHANGE(N) "L1: r6 = rmw.4 xchg seq_cst " N ", 1:32 name 'exchange'; if (r6 != 0:32) L1; "
#define GIVE(N) "store.4 seq_cst " N ", 0:32 name 'give'; "

static cas_op op_of (lock_fixture *f, const char *edge) { return cas_op_of (&f->a, edge_of (f, edge)); }

static bool cas_lock_is_disciplined (const char *start, const char *one, const char *two, const char *object) {
  lock_fixture f;
  fixture_init (&f, start, one, two, NULL);
  bool yes = lock_is_disciplined (&f.a, lock_in (&f, IR_NO_FAMILY, object, 0));
  fixture_release (&f);
  return yes;
}

static void the_operations_on_a_cell (void **state) {
  (void) state;
  lock_fixture f;
  fixture_init (
      &f, BOTH EXIT, TAKE ("&n") GIVE ("&n") RETURN,
      EXCHANGE ("&n") "r6, r10 = cmpxchg.4 seq_cst &n, 1:32, 2:32 name 'keep'; "
                      "r6, r10 = cmpxchg.4 seq_cst &n, 2:32, 0:32 name 'give if'; r7 = load.4 &n name 'look'; "
                      "store.4 seq_cst &n, 1:32 name 'set'; r6 = rmw.4 add seq_cst &n, 1:32 name 'add'; "
                      "store.4 seq_cst &x, 0:32 name 'other'; r6 = nondet; r6, r10 = cmpxchg.4 seq_cst &n, 0:32, r6 "
                      "name 'unknown'; " RETURN,
      NULL);
  assert_int_equal (op_of (&f, "take"), CAS_ACQUIRE);
  assert_int_equal (op_of (&f, "exchange"), CAS_ACQUIRE_BY_EXCHANGE);
  assert_int_equal (op_of (&f, "give"), CAS_RELEASE_BY_STORE);
  assert_int_equal (op_of (&f, "give if"), CAS_RELEASE);
  assert_int_equal (op_of (&f, "keep"), CAS_KEEP);
  assert_int_equal (op_of (&f, "look"), CAS_NONE);
  assert_int_equal (op_of (&f, "set"), CAS_NONE);
  assert_int_equal (op_of (&f, "add"), CAS_NONE);
  assert_int_equal (op_of (&f, "other"), CAS_NONE);
  assert_int_equal (op_of (&f, "unknown"), CAS_NONE);
  fixture_release (&f);
}

static void a_variable_that_is_never_acquired_is_no_lock (void **state) {
  (void) state;
  lock_fixture f;
  fixture_init (&f, BOTH EXIT, GIVE ("&n") RETURN, "r6, r10 = cmpxchg.4 seq_cst &n, 1:32, 0:32 name 'give if'; " RETURN,
                NULL);
  assert_int_equal (op_of (&f, "give"), CAS_NONE);
  assert_int_equal (op_of (&f, "give if"), CAS_NONE);
  fixture_release (&f);
}

static void assert_held (const char *one, const char *edge, bool held) {
  lock_fixture f;
  fixture_init (&f, BOTH EXIT, one, NULL, NULL);
  effect e = only_state (&f, "one", edge);
  assert_int_equal (e.num_held, held);
  if (held) assert_int_equal (use_lock ((lock_use){e.held[0].use}), lock_in (&f, IR_NO_FAMILY, "n", 0));
  fixture_release (&f);
}

static void who_has_taken_it_holds_it (void **state) {
  (void) state;
  assert_held (TAKE ("&n") WRITE ("inside") GIVE ("&n") WRITE ("after") RETURN, "inside", true);
  assert_held (TAKE ("&n") WRITE ("inside") GIVE ("&n") WRITE ("after") RETURN, "after", false);
  assert_held (EXCHANGE ("&n") WRITE ("inside") GIVE ("&n") RETURN, "inside", true);
  assert_held ("r6, r10 = cmpxchg.4 seq_cst &n, 0:32, 1:32; if r10 L2; " WRITE ("failed") RETURN "L2: " GIVE ("&n")
                   RETURN,
               "failed", false);
}

#define USE TAKE ("&n") WRITE ("use") GIVE ("&n") RETURN

static void a_cell_given_back_by_its_holders_is_trusted (void **state) {
  (void) state;
  assert_true (cas_lock_is_disciplined (BOTH EXIT, USE, USE, "n"));
  assert_true (cas_lock_is_disciplined (BOTH EXIT, USE, EXCHANGE ("&n") GIVE ("&n") RETURN, "n"));
  assert_true (cas_lock_is_disciplined ("store.4 &n, 0:32; " BOTH EXIT, USE, USE, "n"));
}

static void a_cell_that_others_write_is_not (void **state) {
  (void) state;
  assert_false (cas_lock_is_disciplined (BOTH EXIT, USE, GIVE ("&n") RETURN, "n"));
  assert_false (cas_lock_is_disciplined (BOTH EXIT, USE, "store.4 seq_cst &n, 1:32; " RETURN, "n"));
  assert_false (cas_lock_is_disciplined (BOTH EXIT, USE, "r6 = rmw.4 sub seq_cst &n, 1:32; " RETURN, "n"));
  assert_false (cas_lock_is_disciplined (BOTH EXIT, USE, "r6, r10 = cmpxchg.4 seq_cst &n, 1:32, 0:32; " RETURN, "n"));
  assert_false (cas_lock_is_disciplined (BOTH EXIT, USE, "r1 = nondet; store.4 r1, 0:32; " RETURN, "n"));
}

static void a_cell_that_begins_as_taken_is_not (void **state) {
  (void) state;
  assert_false (cas_lock_is_disciplined (BOTH EXIT, TAKE ("&taken") GIVE ("&taken") RETURN, NULL, "taken"));
  assert_true (cas_lock_is_disciplined (BOTH EXIT, TAKE ("&n") GIVE ("&n") RETURN, NULL, "n"));
}

static void a_cell_that_is_taken_or_given_in_part_is_not (void **state) {
  (void) state;
  const char *use = TAKE ("&s+4") GIVE ("&s+4") RETURN;
  assert_true (cas_lock_is_disciplined (BOTH EXIT, TAKE ("&s") GIVE ("&s") RETURN, use, "s"));
  assert_false (cas_lock_is_disciplined (BOTH EXIT, TAKE ("&s") "store.1 seq_cst &s, 0:8; " RETURN, use, "s"));
  assert_false (cas_lock_is_disciplined (BOTH EXIT, TAKE ("&s") GIVE ("&s") RETURN,
                                         "r1, r10 = cmpxchg.8 seq_cst &s, 0:64, 1:64; " RETURN, "s"));
}

TEST_MAIN (cmocka_unit_test (the_operations_on_a_cell), cmocka_unit_test (a_variable_that_is_never_acquired_is_no_lock),
           cmocka_unit_test (who_has_taken_it_holds_it), cmocka_unit_test (a_cell_given_back_by_its_holders_is_trusted),
           cmocka_unit_test (a_cell_that_others_write_is_not), cmocka_unit_test (a_cell_that_begins_as_taken_is_not),
           cmocka_unit_test (a_cell_that_is_taken_or_given_in_part_is_not))
