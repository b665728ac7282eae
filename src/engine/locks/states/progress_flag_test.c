// Flags: what a branch tells about their writer, and what spoils that.
#include "engine/locks/states/states_impl.h"

#include "engine/locks/states/states_test.h"

#define WRITE_DATA "store.8 &x, 1:64 name 'data'; "
#define SET "store.4 seq_cst &n, 1:32; "
#define SEEN "L1: r7 = load.4 seq_cst &n; r10 = assign (r7 == 0:32); if r10 L1; "
#define READ "r1 = load.8 &x name 'use'; "

// When another thread is at `use`, is main past `data`?
static bool is_past (const char *start, const char *one, const char *two) {
  lock_fixture f;
  fixture_init (&f, start, one, two, NULL);
  states all = states_at (&f, "one", "use");
  assert_true (all.count > 0);
  bool past = true;
  for (uint32_t k = 0; k < all.count; k++)
    past &= flags_exclude (&f.a, kind_named (&f, "start"), place_of (&f, "data"), all.data[k].facts);
  vec_release (&all);
  fixture_release (&f);
  return past;
}

static void who_has_seen_it_knows_that_the_writer_is_past (void **state) {
  (void) state;
  assert_true (is_past (BOTH WRITE_DATA SET EXIT, SEEN READ RETURN, NULL));
  assert_true (
      is_past ("store.4 &n, 0:32; " BOTH WRITE_DATA SET "store.4 seq_cst &n, 0:32; " EXIT, SEEN READ RETURN, NULL));
  assert_false (is_past (BOTH WRITE_DATA SET EXIT, READ SEEN RETURN, NULL));
  assert_false (is_past (BOTH SET WRITE_DATA EXIT, SEEN READ RETURN, NULL));
  assert_false (is_past (BOTH "L5: " WRITE_DATA SET "r10 = nondet; if r10 L5; " EXIT, SEEN READ RETURN, NULL));
}

static void one_thread_writes_it (void **state) {
  (void) state;
  assert_false (is_past (BOTH WRITE_DATA SET EXIT, SEEN READ RETURN, SET RETURN));
  assert_false (is_past (BOTH WRITE_DATA SET EXIT, SET SEEN READ RETURN, NULL));
  assert_false (is_past (BOTH WRITE_DATA SET EXIT, SEEN READ RETURN, "r2 = nondet; store.4 r2, 1:32; " RETURN));
  assert_true (is_past (BOTH WRITE_DATA SET EXIT, SEEN READ RETURN, "store.4 seq_cst &n, 0:32; " RETURN));
}

static void the_branch_is_not_taken_with_the_first_value (void **state) {
  (void) state;
  assert_false (is_past (BOTH WRITE_DATA SET EXIT,
                         "L1: r7 = load.4 &n; r10 = assign (r7 == 1:32); if r10 L1; " READ RETURN, NULL));
  assert_false (is_past ("store.4 &n, 2:32; " BOTH WRITE_DATA SET EXIT, SEEN READ RETURN, NULL));
  assert_false (is_past (BOTH WRITE_DATA "store.4 seq_cst &taken, 2:32; " EXIT,
                         "L1: r7 = load.4 &taken; r10 = assign (r7 == 0:32); if r10 L1; " READ RETURN, NULL));
  assert_true (is_past (BOTH WRITE_DATA "store.4 seq_cst &taken, 2:32; " EXIT,
                        "L1: r7 = load.4 &taken; r10 = assign (r7 == 1:32); if r10 L1; " READ RETURN, NULL));
}

TEST_MAIN (cmocka_unit_test (who_has_seen_it_knows_that_the_writer_is_past), cmocka_unit_test (one_thread_writes_it),
           cmocka_unit_test (the_branch_is_not_taken_with_the_first_value))
