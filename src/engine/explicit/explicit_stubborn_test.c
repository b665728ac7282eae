// The threads that must be explored: the examples of CIRC (figures 1 and 2), steps that do not interfere (other locks,
// readers, threads that are waited for), threads that can unblock a blocked one; and the antichains of lock sets on
// which all this is decided.
#include "base/rng.h"
#include "engine/explicit/explicit_stubborn.h"
#include "engine/explicit/explicit_test.h"
#include "engine/explicit/lock_antichain.h"

typedef enum patterns { WITHOUT_LOCKS, WITH_LOCKS } patterns;  // reductions `stubborn` and `lock-patterns`

static void take_snapshot (state_snapshot *v, explicit_fixture *s, thread_futures *f) {
  memset (v, 0, sizeof *v);
  stubborn_take_snapshot (v, &s->w, f);
}

static uint32_t index_of (const state_snapshot *v, uint32_t slot) {
  uint32_t k = 0;
  while (k < v->num_threads && v->threads[k].slot != slot) k++;
  assert_true (k < v->num_threads);
  return k;
}

static const char *slots_of (const state_snapshot *v, const thread_choice *set) {
  static char text[16];
  uint32_t k;
  for (k = 0; k < set->count; k++) text[k] = (char) ('0' + v->threads[set->index[k]].slot);
  text[k] = 0;
  return text;
}

// Checks that the closed set that starts with this thread contains these enabled threads: "12".
static void expect_explored (explicit_fixture *s, patterns use, uint32_t slot, const char *slots) {
  state_snapshot *v = mem_zalloc (sizeof *v);
  thread_futures *f = futures_new (&s->w, use == WITH_LOCKS, use == WITH_LOCKS);
  thread_choice set;
  take_snapshot (v, s, f);
  stubborn_from (v, index_of (v, slot), &set);
  assert_string_equal (slots_of (v, &set), slots);
  stubborn_release (v);
  futures_free (f);
  mem_free (v, sizeof *v);
}

static void expect_both (explicit_fixture *s, uint32_t slot, const char *slots) {
  expect_explored (s, WITHOUT_LOCKS, slot, slots);
  expect_explored (s, WITH_LOCKS, slot, slots);
}

// Checks which threads are enabled, that is, explored without a reduction.
static void expect_enabled (explicit_fixture *s, const char *slots) {
  state_snapshot *v = mem_zalloc (sizeof *v);
  thread_choice all = {0};
  take_snapshot (v, s, NULL);
  for (uint32_t k = 0; k < v->num_threads; k++)
    if (v->threads[k].enabled) all.index[all.count++] = k;
  assert_int_equal (all.count, v->num_enabled);
  assert_string_equal (slots_of (v, &all), slots);
  stubborn_release (v);
  mem_free (v, sizeof *v);
}

#define JOIN_BOTH "r5 = thread_join 2:64; r5 = thread_join 3:64"

// ---- CIRC ---------------------------------------------------------------------------------------------
// 1b is a write to z, which T1 does not use, so that it can be the next operation of T2.
static const char *const figure_1[] = {JOIN_BOTH,
                                       "store.4 &a, 0:32; r1 = mutex_lock &lk; store.4 &x, 1:32;"
                                       "r1 = mutex_unlock &lk; store.4 &a, 4:32",
                                       "store.4 &z, 5:32; r1 = mutex_lock &lk; store.4 &x, 2:32;"
                                       "r1 = mutex_unlock &lk; store.4 &x, 6:32"};

static void figure_1_in_3a_1b (void **state) {
  (void) state;
  explicit_fixture s;
  explicit_fixture_init (&s, "lk:40 x:4 a:4 z:4", figure_1, 3);
  take_steps_of (&s, 1, 2);
  expect_enabled (&s, "12");
  expect_explored (&s, WITHOUT_LOCKS, 1, "12");
  expect_explored (&s, WITH_LOCKS, 1, "1");
  explicit_fixture_release (&s);
}

static void figure_1_in_3a_5b (void **state) {
  (void) state;
  explicit_fixture s;
  explicit_fixture_init (&s, "lk:40 x:4 a:4 z:4", figure_1, 3);
  take_steps_of (&s, 2, 4);
  take_steps_of (&s, 1, 2);
  expect_enabled (&s, "12");
  expect_both (&s, 1, "12");
  expect_both (&s, 2, "12");
  explicit_fixture_release (&s);
}

static void figure_2_in_6a_1b (void **state) {
  (void) state;
  static const char *const threads[] = {
      JOIN_BOTH,
      "store.4 &a, 1:32; r1 = mutex_lock &lk1; r1 = mutex_lock &lk2; store.4 &y, 1:32; r1 = mutex_unlock &lk2;"
      "store.4 &x, 0:32; r1 = mutex_unlock &lk1",
      "store.4 &b, 0:32; r1 = mutex_lock &lk2; r1 = mutex_lock &lk1; store.4 &z, 2:32; r1 = mutex_unlock &lk1;"
      "store.4 &x, 1:32; r1 = mutex_unlock &lk2"};
  explicit_fixture s;
  explicit_fixture_init (&s, "lk1:40 lk2:40 x:4 y:4 z:4 a:4 b:4", threads, 3);
  take_steps_of (&s, 1, 5);
  expect_enabled (&s, "12");
  expect_explored (&s, WITHOUT_LOCKS, 1, "12");
  expect_explored (&s, WITH_LOCKS, 1, "1");
  explicit_fixture_release (&s);
}

// ---- what interferes ----------------------------------------------------------------------------------
// main reads x, but only after thread 1 has ended.
static void what_comes_after_a_join_does_not_interfere (void **state) {
  (void) state;
  static const char *const joined[] = {"r5 = thread_join 3:64; r5 = thread_join 2:64; r1 = load.4 &x",
                                       "store.4 &x, 1:32", "nop"},
                           *const not_joined[] = {"store.4 &y, 1:32; r5 = thread_join 3:64; r1 = load.4 &x",
                                                  "store.4 &x, 1:32", "store.4 &y, 2:32"};
  explicit_fixture s;
  explicit_fixture_init (&s, "x:4 y:4", joined, 3);
  expect_explored (&s, WITH_LOCKS, 1, "1");
  explicit_fixture_release (&s);
  explicit_fixture_init (&s, "x:4 y:4", not_joined, 3);
  expect_explored (&s, WITH_LOCKS, 1, "012");
  explicit_fixture_release (&s);
}

// The handle is in memory, and no thread writes it any more.
static void a_handle_in_memory_says_who_is_joined (void **state) {
  (void) state;
  static const char *const stable[] = {"store.4 &y, 0:32; r5 = load.8 &handles+8; r5 = thread_join r5; r1 = load.4 &x",
                                       "store.4 &x, 1:32"},
                           *const overwritten[] = {
                               "store.4 &y, 0:32; r5 = load.8 &handles+8; r5 = thread_join r5; r1 = load.4 &x",
                               "store.4 &x, 1:32", "store.8 &handles+8, 3:64"};
  explicit_fixture s;
  explicit_fixture_init (&s, "x:4 y:4", stable, 2);
  expect_explored (&s, WITH_LOCKS, 1, "1");
  expect_explored (&s, WITHOUT_LOCKS, 1, "01");
  explicit_fixture_release (&s);
  explicit_fixture_init (&s, "x:4 y:4", overwritten, 3);
  expect_explored (&s, WITH_LOCKS, 1, "01");
  explicit_fixture_release (&s);
}

// A recursive mutex that was acquired twice and released once is still held.
static void a_recursive_mutex_protects_until_its_last_release (void **state) {
  (void) state;
  static const char *const threads[] = {
      JOIN_BOTH,
      "mutex_init &m, 1:32; store.4 &go, 1:32; r1 = mutex_lock &m; r1 = mutex_lock &m; r1 = mutex_unlock &m;"
      "store.4 &x, 1:32; r1 = mutex_unlock &m; store.4 &x, 2:32",
      "r1 = load.4 &go; r1 = mutex_lock &m; store.4 &x, 3:32; r1 = mutex_unlock &m"};
  explicit_fixture s;
  explicit_fixture_init (&s, "m:40 x:4 go:4", threads, 3);
  take_steps_of (&s, 1, 5);
  expect_explored (&s, WITH_LOCKS, 1, "1");
  expect_explored (&s, WITHOUT_LOCKS, 1, "12");
  take_steps_of (&s, 1, 2);
  expect_both (&s, 1, "12");
  explicit_fixture_release (&s);
}

// Thread 1 reads x under a read lock.  Readers do not interfere with that, writers must wait; a writer without the lock
// does interfere.
static void readers_keep_writers_out (void **state) {
  (void) state;
  static const char *const threads[] = {
      "r5 = thread_join 2:64; r5 = thread_join 3:64; r5 = thread_join 4:64",
      "r1 = rw_rdlock &l; r2 = load.4 &x; r1 = rw_unlock &l",
      "store.4 &y, 1:32; r1 = rw_wrlock &l; store.4 &x, 1:32; r1 = rw_unlock &l",
      "store.4 &z, 1:32; r1 = rw_rdlock &l; r2 = load.4 &x; r1 = rw_unlock &l; store.4 &x, 2:32"};
  explicit_fixture s;
  explicit_fixture_init (&s, "l:56 x:4 y:4 z:4", threads, 4);
  take_steps_of (&s, 1, 1);
  expect_explored (&s, WITHOUT_LOCKS, 1, "123");
  expect_explored (&s, WITH_LOCKS, 1, "13");  // the reader's last write: its read lock does not exclude ours
  explicit_fixture_release (&s);
}

static void a_read_lock_does_not_exclude_another (void **state) {
  (void) state;
  static const char *const threads[] = {JOIN_BOTH, "r1 = rw_wrlock &l; store.4 &x, 1:32; r1 = rw_unlock &l",
                                        "store.4 &z, 1:32; r1 = rw_rdlock &l; r2 = load.4 &x; r1 = rw_unlock &l"};
  explicit_fixture s;
  explicit_fixture_init (&s, "l:56 x:4 z:4", threads, 3);
  take_steps_of (&s, 1, 1);
  expect_explored (&s, WITH_LOCKS, 1, "1");
  explicit_fixture_release (&s);
}

// A trylock does not wait: x may be accessed whether or not the lock was acquired, and the trylock observes the lock
// itself.
static void a_trylock_interferes (void **state) {
  (void) state;
  static const char *const threads[] = {
      JOIN_BOTH, "r1 = mutex_lock &m; store.4 &x, 1:32; r1 = mutex_unlock &m",
      "store.4 &z, 1:32; r1 = mutex_trylock &m; if r1 goto 1; store.4 &x, 2:32; r1 = mutex_unlock &m; 1: nop"};
  explicit_fixture s;
  explicit_fixture_init (&s, "m:40 x:4 z:4", threads, 3);
  take_steps_of (&s, 1, 1);
  expect_both (&s, 1, "12");
  take_steps_of (&s, 1, 1);
  expect_both (&s, 1, "12");  // before the unlock, which the trylock can see
  explicit_fixture_release (&s);
}

static void an_access_before_the_lock_is_taken_interferes (void **state) {
  (void) state;
  static const char *const threads[] = {JOIN_BOTH, "r1 = mutex_lock &m; store.4 &x, 1:32; r1 = mutex_unlock &m",
                                        "store.4 &z, 1:32; any 1; r1 = mutex_lock &m; store.4 &x, 2:32; r1 = "
                                        "mutex_unlock &m; goto 2; 1: store.4 &x, 3:32; 2: nop"};
  explicit_fixture s;
  explicit_fixture_init (&s, "m:40 x:4 z:4", threads, 3);
  take_steps_of (&s, 1, 1);
  expect_both (&s, 1, "12");
  explicit_fixture_release (&s);
}

// ---- threads that can unblock a thread ----------------------------------------------------------------
static void a_blocked_thread_adds_the_holder_of_its_lock (void **state) {
  (void) state;
  static const char *const threads[] = {"r5 = thread_join 2:64; r5 = thread_join 3:64; r5 = thread_join 4:64",
                                        "r1 = mutex_lock &m; store.4 &y, 1:32; r1 = mutex_unlock &m",
                                        "r1 = mutex_lock &m; store.4 &x, 1:32; r1 = mutex_unlock &m",
                                        "store.4 &z, 1:32; r1 = mutex_lock &m; r1 = mutex_unlock &m"};
  explicit_fixture s;
  explicit_fixture_init (&s, "m:40 x:4 y:4 z:4", threads, 4);
  take_steps_of (&s, 1, 1);
  expect_enabled (&s, "13");
  expect_explored (&s, WITH_LOCKS, 2, "1");      // the holder; a thread that waits for the lock cannot release it
  expect_explored (&s, WITHOUT_LOCKS, 2, "13");  // every thread that accesses the lock
  expect_both (&s, 1, "1");
  expect_explored (&s, WITH_LOCKS, 0, "1");  // joining waits for thread 1
  explicit_fixture_release (&s);
}

static void a_semaphore_adds_those_who_may_post (void **state) {
  (void) state;
  static const char *const threads[] = {"r5 = thread_join 2:64; r5 = thread_join 3:64; r5 = thread_join 4:64",
                                        "r1 = sem_wait &s; store.4 &x, 1:32", "store.4 &y, 1:32; r1 = sem_post &s",
                                        "store.4 &z, 1:32; store.4 &z, 2:32"};
  explicit_fixture s;
  explicit_fixture_init (&s, "s:32 x:4 y:4 z:4", threads, 4);
  expect_enabled (&s, "23");
  expect_both (&s, 1, "2");
  explicit_fixture_release (&s);
}

static void a_condition_variable_adds_those_who_may_signal (void **state) {
  (void) state;
  static const char *const threads[] = {
      "r5 = thread_join 2:64; r5 = thread_join 3:64; r5 = thread_join 4:64",
      "r1 = mutex_lock &m; cond_wait &c, &m; r1 = cond_resume &c, &m; r1 = mutex_unlock &m",
      "store.4 &y, 1:32; cond_signal &c", "store.4 &z, 1:32; r1 = mutex_lock &m; r1 = mutex_unlock &m"};
  explicit_fixture s;
  explicit_fixture_init (&s, "m:40 c:48 y:4 z:4", threads, 4);
  take_steps_of (&s, 1, 2);
  expect_enabled (&s, "23");
  expect_both (&s, 1, "2");  // first a signal, then the mutex
  take_steps_of (&s, 2, 2);
  take_steps_of (&s, 3, 2);  // awake, but thread 3 has the mutex
  expect_enabled (&s, "3");
  expect_both (&s, 1, "3");
  explicit_fixture_release (&s);
}

static void the_end_of_the_process_interferes_with_all (void **state) {
  (void) state;
  static const char *const threads[] = {"", "store.4 &x, 1:32", "store.4 &y, 1:32"};
  explicit_fixture s;
  explicit_fixture_init (&s, "x:4 y:4", threads, 3);
  expect_both (&s, 0, "012");
  expect_both (&s, 1, "1");
  explicit_fixture_release (&s);
}

// ---- antichains ---------------------------------------------------------------------------------------
static lock_antichain antichain (uint32_t count, const lock_set *sets) {
  lock_antichain f = {0};
  for (uint32_t k = 0; k < count; k++) antichain_add (&f, sets[k]);
  return f;
}
#define ANTICHAIN(...) antichain (sizeof ((lock_set[]){__VA_ARGS__}) / sizeof (lock_set), (lock_set[]){__VA_ARGS__})

static bool antichain_has (const lock_antichain *f, lock_set set) {
  for (uint32_t k = 0; k < f->count; k++)
    if (f->sets[k] == set) return true;
  return false;
}

static void antichains_keep_minimal_sets (void **state) {
  (void) state;
  lock_antichain f = ANTICHAIN (6, 1);
  assert_false (antichain_add (&f, 7));
  assert_false (antichain_add (&f, 6));
  assert_int_equal (f.count, 2);
  assert_true (antichain_add (&f, 2));
  assert_int_equal (f.count, 2);
  assert_true (antichain_has (&f, 1) && antichain_has (&f, 2));
  assert_true (antichain_add (&f, 0));
  assert_int_equal (f.count, 1);
}

static void too_many_sets_become_what_they_share (void **state) {
  (void) state;
  lock_antichain f = ANTICHAIN (1 | 2, 1 | 4, 1 | 8, 1 | 16);
  assert_int_equal (f.count, NUM_SETS);
  assert_true (antichain_add (&f, 1 | 32));
  assert_int_equal (f.count, 1);
  assert_true (antichain_has (&f, 1));
}

static void paths_in_sequence_acquire_both (void **state) {
  (void) state;
  lock_antichain a = ANTICHAIN (1, 2), b = ANTICHAIN (4), both = antichain_then (&a, &b);
  assert_true (both.count == 2 && antichain_has (&both, 5) && antichain_has (&both, 6));
  lock_antichain nowhere = {0};
  assert_int_equal (antichain_then (&a, &nowhere).count, 0);
  assert_int_equal (antichain_then (&nowhere, &b).count, 0);
  lock_antichain same = antichain_then (&a, &NO_LOCKS);
  assert_true (same.count == 2 && antichain_has (&same, 1) && antichain_has (&same, 2));
  lock_antichain more = antichain_acquire (&a, 2);
  assert_true (more.count == 1 && antichain_has (&more, 2));
}

static void an_antichain_avoids_locks_by_any_of_its_paths (void **state) {
  (void) state;
  lock_antichain f = ANTICHAIN (1, 2);
  assert_true (antichain_avoids (&f, 1, 0));
  assert_false (antichain_avoids (&f, 3, 0));
  assert_false (antichain_avoids (&f, 4, 4));
  assert_true (antichain_avoids (&NO_LOCKS, ~0ull, 0));
}

// Compares with all sets that were added: the antichain is minimal and never excludes more than one of them did.
static void random_antichains_are_sound (void **state) {
  (void) state;
  rng r = {11};
  for (uint32_t round = 0; round < 2000; round++) {
    lock_antichain f = {0};
    lock_set added[12];
    uint32_t count = 1 + rng_below (&r, 12);
    for (uint32_t k = 0; k < count; k++) antichain_add (&f, added[k] = rng_below (&r, 64) & rng_below (&r, 64));
    assert_in_range (f.count, 1, NUM_SETS);
    for (uint32_t j = 0; j < f.count; j++)
      for (uint32_t k = 0; k < f.count; k++) assert_true (j == k || (f.sets[j] & ~f.sets[k]));
    for (uint32_t k = 0; k < count; k++) {
      bool covered = false;
      for (uint32_t j = 0; j < f.count; j++) covered |= !(f.sets[j] & ~added[k]);
      assert_true (covered);
    }
  }
}

static void lock_states_follow_each_other (void **state) {
  (void) state;
  lock_state first = {.exclusive = 1, .any = 3}, later = {.exclusive = 4, .any = 4, .released = 1};
  lock_state then = lock_state_then (&first, &later);
  assert_true (then.exclusive == 4 && then.any == 6 && then.released == 1);
  lock_state reads = {.any = 2}, writes = {.exclusive = 2, .any = 2}, other = {.exclusive = 8, .any = 8};
  assert_false (lock_states_exclude (&reads, &reads));
  assert_true (lock_states_exclude (&reads, &writes) && lock_states_exclude (&writes, &writes));
  assert_false (lock_states_exclude (&writes, &other));
}

TEST_MAIN (cmocka_unit_test (figure_1_in_3a_1b), cmocka_unit_test (figure_1_in_3a_5b),
           cmocka_unit_test (figure_2_in_6a_1b), cmocka_unit_test (what_comes_after_a_join_does_not_interfere),
           cmocka_unit_test (a_handle_in_memory_says_who_is_joined),
           cmocka_unit_test (a_recursive_mutex_protects_until_its_last_release),
           cmocka_unit_test (readers_keep_writers_out), cmocka_unit_test (a_read_lock_does_not_exclude_another),
           cmocka_unit_test (a_trylock_interferes), cmocka_unit_test (an_access_before_the_lock_is_taken_interferes),
           cmocka_unit_test (a_blocked_thread_adds_the_holder_of_its_lock),
           cmocka_unit_test (a_semaphore_adds_those_who_may_post),
           cmocka_unit_test (a_condition_variable_adds_those_who_may_signal),
           cmocka_unit_test (the_end_of_the_process_interferes_with_all),
           cmocka_unit_test (antichains_keep_minimal_sets), cmocka_unit_test (too_many_sets_become_what_they_share),
           cmocka_unit_test (paths_in_sequence_acquire_both),
           cmocka_unit_test (an_antichain_avoids_locks_by_any_of_its_paths),
           cmocka_unit_test (random_antichains_are_sound), cmocka_unit_test (lock_states_follow_each_other))
