// Races and deadlocks in states reached by hand.
#include "verdict/verdict_test.h"

static ir_edge access_op (world *w, uint32_t t, ir_op op, ir_object o, uint32_t offset, ir_order order) {
  ir_edge e = op == IR_LOAD
                  ? EMIT (w, t, op, reg (w, t, 32, NULL), at (w, o, offset))
                  : EMIT (w, t, op, op == IR_RMW ? reg (w, t, 32, NULL) : NONE, at (w, o, offset), number (w, 32, 1));
  ir_edge_at (w->p, e)->order = (uint8_t) order;
  return e;
}

static void lock (world *w, uint32_t t, ir_op op, ir_object o) {
  EMIT (w, t, op, ir_op_table[op].result == 'r' ? reg (w, t, 32, NULL) : NONE, at (w, o, 0));
}

static bool races (world *w, uint32_t s, uint32_t t) {
  judge_access which[2];
  bool one = detect_race (&w->m, s, t, which), other = detect_race (&w->m, t, s, which);
  assert_int_equal (one, other);
  return one;
}

static void race_needs_conflict (void **state) {
  (void) state;
  static const struct {
    ir_op op;
    uint32_t offset;
    ir_order order;
    bool race;
  } cases[] = {{IR_STORE, 0, IR_PLAIN, true},
               {IR_LOAD, 0, IR_PLAIN, true},
               {IR_LOAD, 3, IR_PLAIN, true},
               {IR_LOAD, 4, IR_PLAIN, false},
               {IR_LOAD, 0, IR_SEQ_CST, true},
               {IR_RMW, 0, IR_RELAXED, true},
               {IR_LOAD, 30, IR_PLAIN, false /* out of bounds: it does not happen */}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    world w;
    world_init (&w, 2);
    ir_object x = world_object (&w, "x", 8);
    access_op (&w, 0, IR_STORE, x, 0, IR_PLAIN);
    access_op (&w, 1, cases[i].op, x, cases[i].offset, cases[i].order);
    world_start (&w);
    assert_int_equal (races (&w, 0, 1), cases[i].race);
    world_release (&w);
  }
}

static void atomics_and_reads_do_not_race (void **state) {
  (void) state;
  for (int atomic = 0; atomic < 2; atomic++) {
    world w;
    world_init (&w, 2);
    ir_object x = world_object (&w, "x", 8);
    access_op (&w, 0, atomic ? IR_STORE : IR_LOAD, x, 0, atomic ? IR_SEQ_CST : IR_PLAIN);
    access_op (&w, 1, atomic ? IR_RMW : IR_LOAD, x, 0, atomic ? IR_RELAXED : IR_PLAIN);
    world_start (&w);
    assert_false (races (&w, 0, 1));
    world_release (&w);
  }
}

static void atomic_regions_do_not_race (void **state) {
  (void) state;
  world w;
  world_init (&w, 3);
  ir_object x = world_object (&w, "x", 8), m = world_object (&w, "m", 40);
  for (uint32_t t = 0; t < 2; t++) {
    EMIT0 (&w, t, IR_ATOMIC_BEGIN, NONE);
    if (!t) lock (&w, t, IR_MUTEX_LOCK, m);
    access_op (&w, t, IR_STORE, x, 0, IR_PLAIN);
  }
  access_op (&w, 2, IR_STORE, x, 0, IR_PLAIN);
  world_start (&w);
  go (&w, 0, 2);
  go (&w, 1, 1);
  assert_false (races (&w, 0, 1));
  assert_true (races (&w, 0, 2));
  world_release (&w);
}

static void free_races (void **state) {
  (void) state;
  world w;
  world_init (&w, 2);
  ir_object g = world_object (&w, "g", 8);
  ir_reg p = reg (&w, 0, 64, NULL), q = reg (&w, 1, 64, NULL);
  ir_edge e = EMIT (&w, 0, IR_ALLOC, p, number (&w, 64, 16));
  ir_edge_at (w.p, e)->aux = IR_ALLOC_HEAP;
  e = EMIT (&w, 0, IR_STORE, NONE, at (&w, g, 0), use (&w, 0, p));
  ir_edge_at (w.p, e)->bytes = 8;
  EMIT (&w, 0, IR_FREE, NONE, use (&w, 0, p));
  e = EMIT (&w, 1, IR_LOAD, q, at (&w, g, 0));
  ir_edge_at (w.p, e)->bytes = 8;
  EMIT (&w, 1, IR_LOAD, reg (&w, 1, 32, NULL), ir_binary (w.p, IR_X_ADD, use (&w, 1, q), number (&w, 64, 8)));
  world_start (&w);
  go (&w, 0, 2);
  go (&w, 1, 1);
  assert_true (races (&w, 0, 1));
  go (&w, 0, 1);
  assert_false (races (&w, 0, 1));  // now it is a memory error instead
  assert_int_equal (machine_step (&w.m, 1), STEP_VIOLATION);
  world_release (&w);
}

static void sync_races_with_plain_access (void **state) {
  (void) state;
  world w;
  world_init (&w, 3);
  ir_object m = world_object (&w, "m", 40);
  access_op (&w, 0, IR_STORE, m, 0, IR_PLAIN);
  lock (&w, 1, IR_MUTEX_LOCK, m);
  lock (&w, 2, IR_MUTEX_LOCK, m);
  world_start (&w);
  assert_true (races (&w, 0, 1));
  assert_false (races (&w, 1, 2));
  world_release (&w);
}

// ---- deadlock ------------------------------------------------------------------------------------------

static void expect_stuck (world *w, uint32_t expected_mask) {
  bool stuck[IR_MAX_THREADS];
  uint32_t count = detect_stuck (&w->m, stuck), mask = 0;
  for (uint32_t i = 0; i < IR_MAX_THREADS; i++)
    if (stuck[i]) mask |= 1u << i;
  assert_int_equal (mask, expected_mask);
  assert_int_equal (count, (uint32_t) __builtin_popcount (expected_mask));
}

// Expects the threads of the core in their order, and how many threads wait only because of it.
static void expect_core (world *w, uint32_t among_mask, const char *expected, uint32_t num_waiting) {
  bool among[IR_MAX_THREADS] = {false};
  deadlock_core core;
  strbuf text = {0};
  for (uint32_t i = 0; i < 32; i++) among[i] = among_mask >> i & 1;
  core_find (&w->m, among, &core);
  for (uint32_t i = 0; i < core.num_threads; i++) strbuf_printf (&text, "%s%u", i ? " " : "", core.thread[i]);
  assert_string_equal (strbuf_text (&text), expected);
  assert_int_equal (core.num_waiting, num_waiting);
  strbuf_release (&text);
}

static void cycle_of_two_while_others_run (void **state) {
  (void) state;
  world w;
  world_init (&w, 4);
  ir_object a = world_object (&w, "a", 40), b = world_object (&w, "b", 40);
  lock (&w, 1, IR_MUTEX_LOCK, a);
  lock (&w, 1, IR_MUTEX_LOCK, b);
  lock (&w, 2, IR_MUTEX_LOCK, b);
  lock (&w, 2, IR_MUTEX_LOCK, a);
  lock (&w, 3, IR_MUTEX_LOCK, a);
  EMIT0 (&w, 0, IR_NOP, NONE);
  world_start (&w);
  go (&w, 1, 1);
  expect_stuck (&w, 0);
  go (&w, 2, 1);
  expect_stuck (&w, 1 << 1 | 1 << 2 | 1 << 3);  // 3 waits for a lock that 1 never releases; 0 runs
  expect_core (&w, 1 << 1 | 1 << 2 | 1 << 3, "1 2", 1);
  expect_core (&w, 1 << 3, "1 2", 1);  // 3 alone is no deadlock
  world_release (&w);
}

static void join_cycle (void **state) {
  (void) state;
  world w;
  world_init (&w, 3);
  EMIT (&w, 0, IR_THREAD_JOIN, reg (&w, 0, 64, NULL), number (&w, 64, 2));
  EMIT (&w, 1, IR_THREAD_JOIN, reg (&w, 1, 64, NULL), number (&w, 64, 1));
  EMIT (&w, 2, IR_THREAD_JOIN, reg (&w, 2, 64, NULL), number (&w, 64, 3));
  world_start (&w);
  expect_stuck (&w, 7);  // 0 and 1 wait for each other, 2 for itself
  expect_core (&w, 7, "0 1", 0);
  expect_core (&w, 1 << 2, "2", 0);  // another deadlock: neither deadlock waits for the other
  world_release (&w);
}

static void join_of_a_running_thread (void **state) {
  (void) state;
  world w;
  world_init (&w, 2);
  EMIT (&w, 0, IR_THREAD_JOIN, reg (&w, 0, 64, NULL), number (&w, 64, 2));
  world_start (&w);
  assert_true (blocked (&w, 0));
  expect_stuck (&w, 0);
  world_release (&w);
}

static void lost_wakeup (void **state) {
  (void) state;
  world w;
  world_init (&w, 2);
  ir_object c = world_object (&w, "c", 48), m = world_object (&w, "m", 40);
  ir_reg r = reg (&w, 0, 32, NULL);
  lock (&w, 0, IR_MUTEX_LOCK, m);
  EMIT (&w, 0, IR_COND_WAIT, NONE, at (&w, c, 0), at (&w, m, 0));
  EMIT (&w, 0, IR_COND_RESUME, r, at (&w, c, 0), at (&w, m, 0));
  lock (&w, 1, IR_COND_SIGNAL, c);
  lock (&w, 1, IR_COND_SIGNAL, m);  // at another address: data does not count
  EMIT0 (&w, 1, IR_NOP, NONE);
  world_start (&w);
  go (&w, 1, 1);  // the signal comes before the wait
  go (&w, 0, 2);
  assert_true (blocked (&w, 0));
  expect_stuck (&w, 0);  // thread 1 may still signal
  go (&w, 1, 1);
  expect_stuck (&w, 1);  // it still runs, but sends no more signals
  expect_core (&w, 1, "0", 0);
  w.m.semantics.spurious_wakeups = true;
  expect_stuck (&w, 1);  // a spurious wake-up may never come
  world_release (&w);
}

static void semaphore_and_barrier (void **state) {
  (void) state;
  world w;
  world_init (&w, 3);
  ir_object s = world_object (&w, "s", 32), b = world_object (&w, "b", 32);
  EMIT (&w, 0, IR_BARRIER_INIT, NONE, at (&w, b, 0), number (&w, 32, 3));
  lock (&w, 0, IR_BARRIER_ARRIVE, b);
  lock (&w, 0, IR_BARRIER_RESUME, b);
  lock (&w, 1, IR_BARRIER_ARRIVE, b);
  lock (&w, 1, IR_BARRIER_RESUME, b);
  lock (&w, 2, IR_SEM_WAIT, s);
  world_start (&w);
  go (&w, 0, 2);
  expect_stuck (&w, 1 << 2);  // no thread posts; thread 1 will arrive
  go (&w, 1, 1);
  expect_stuck (&w, 7);
  expect_core (&w, 1 << 2, "2", 0);  // no thread posts, whatever 0 and 1 do
  world_release (&w);
}

static void owner_has_ended (void **state) {
  (void) state;
  world w;
  world_init (&w, 3);
  ir_object m = world_object (&w, "m", 40), l = world_object (&w, "l", 56);
  lock (&w, 1, IR_MUTEX_LOCK, m);
  lock (&w, 1, IR_RW_RDLOCK, l);
  lock (&w, 0, IR_MUTEX_LOCK, m);
  lock (&w, 2, IR_RW_RDLOCK, l);
  lock (&w, 2, IR_RW_UNLOCK, l);
  lock (&w, 2, IR_RW_WRLOCK, l);
  world_start (&w);
  go (&w, 1, 2);
  go (&w, 2, 2);
  assert_true (blocked (&w, 0) && blocked (&w, 2));
  expect_stuck (&w, 0);
  go (&w, 1, 1);
  expect_stuck (&w, 1 << 0 | 1 << 2);
  world_release (&w);
}

static void rwlock_waits_for_all_readers (void **state) {
  (void) state;
  world w;
  world_init (&w, 3);
  ir_object l = world_object (&w, "l", 56);
  lock (&w, 1, IR_RW_RDLOCK, l);
  lock (&w, 0, IR_RW_RDLOCK, l);
  lock (&w, 0, IR_RW_WRLOCK, l);
  lock (&w, 2, IR_RW_WRLOCK, l);
  world_start (&w);
  go (&w, 1, 1);
  expect_stuck (&w, 0);
  go (&w, 0, 1);
  expect_stuck (&w, 1 << 0 | 1 << 2);  // 0 waits for a lock that it holds itself, 2 waits for 0; 1 runs
  expect_core (&w, 1 << 0 | 1 << 2, "0", 1);
  world_release (&w);
}

// Two readers keep a writer waiting, and each of them waits for the writer.  One reader is enough for a deadlock.
static void one_of_two_readers_is_enough (void **state) {
  (void) state;
  world w;
  world_init (&w, 3);
  ir_object l = world_object (&w, "l", 56), m = world_object (&w, "m", 40);
  lock (&w, 0, IR_RW_RDLOCK, l);
  lock (&w, 0, IR_MUTEX_LOCK, m);
  lock (&w, 1, IR_MUTEX_LOCK, m);
  lock (&w, 1, IR_RW_WRLOCK, l);
  lock (&w, 2, IR_RW_RDLOCK, l);
  lock (&w, 2, IR_MUTEX_LOCK, m);
  world_start (&w);
  go (&w, 0, 1);
  go (&w, 2, 1);
  go (&w, 1, 1);
  expect_stuck (&w, 7);
  expect_core (&w, 7, "0 1", 1);
  world_release (&w);
}

// The thread that would signal is blocked by a cycle: that cycle is the deadlock, and the wait for the signal is not.
static void waiter_behind_a_cycle (void **state) {
  (void) state;
  world w;
  world_init (&w, 4);
  ir_object a = world_object (&w, "a", 40), b = world_object (&w, "b", 40), s = world_object (&w, "s", 32);
  lock (&w, 0, IR_SEM_WAIT, s);
  EMIT (&w, 3, IR_THREAD_JOIN, reg (&w, 3, 64, NULL), number (&w, 64, 1));
  lock (&w, 1, IR_MUTEX_LOCK, a);
  lock (&w, 1, IR_MUTEX_LOCK, b);
  lock (&w, 1, IR_SEM_POST, s);
  lock (&w, 2, IR_MUTEX_LOCK, b);
  lock (&w, 2, IR_MUTEX_LOCK, a);
  world_start (&w);
  go (&w, 1, 1);
  go (&w, 2, 1);
  expect_stuck (&w, 15);
  expect_core (&w, 15, "1 2", 2);
  world_release (&w);
}

static void once_recursion (void **state) {
  (void) state;
  world w;
  world_init (&w, 2);
  ir_object o = world_object (&w, "o", 4);
  lock (&w, 1, IR_ONCE_BEGIN, o);
  lock (&w, 1, IR_ONCE_BEGIN, o);
  lock (&w, 0, IR_ONCE_BEGIN, o);
  world_start (&w);
  go (&w, 1, 1);
  expect_stuck (&w, 3);
  world_release (&w);
}

static void relock_and_timed (void **state) {
  (void) state;
  world w;
  world_init (&w, 2);
  ir_object m = world_object (&w, "m", 40), n = world_object (&w, "n", 40);
  lock (&w, 0, IR_MUTEX_LOCK, m);
  lock (&w, 0, IR_MUTEX_LOCK, m);
  lock (&w, 1, IR_MUTEX_LOCK, n);
  lock (&w, 1, IR_MUTEX_TIMEDLOCK, m);
  world_start (&w);
  go (&w, 0, 1);
  go (&w, 1, 1);
  expect_stuck (&w, 1);
  world_release (&w);
}

TEST_MAIN (cmocka_unit_test (race_needs_conflict), cmocka_unit_test (atomics_and_reads_do_not_race),
           cmocka_unit_test (atomic_regions_do_not_race), cmocka_unit_test (free_races),
           cmocka_unit_test (sync_races_with_plain_access), cmocka_unit_test (cycle_of_two_while_others_run),
           cmocka_unit_test (join_cycle), cmocka_unit_test (join_of_a_running_thread), cmocka_unit_test (lost_wakeup),
           cmocka_unit_test (semaphore_and_barrier), cmocka_unit_test (owner_has_ended),
           cmocka_unit_test (rwlock_waits_for_all_readers), cmocka_unit_test (one_of_two_readers_is_enough),
           cmocka_unit_test (waiter_behind_a_cycle), cmocka_unit_test (once_recursion),
           cmocka_unit_test (relock_and_timed))
