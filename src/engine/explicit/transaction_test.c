// The search by transactions, through the engine's interface: post-commit parts must end (TXN 4.2, condition C), with
// as few ends as possible; states that relied on a protection that does not hold are expanded again (TXN section 6).
#include "engine/explicit/explicit_options.h"
#include "engine/explicit/explicit_test.h"

typedef struct search_outcome {
  verdict_kind kind;
  uint64_t states, transactions, reopened;
} search_outcome;

static uint64_t stat_of (const verdict *v, const char *name) {
  for (uint32_t k = 0; k < v->stats.count; k++)
    if (!strcmp (v->stats.data[k].name, name)) return v->stats.data[k].value;
  return 0;
}

static search_outcome search_with (reduction_choice reduction, const char *objects, const char *const threads[],
                                   uint32_t num_threads) {
  ir_program *p = program_of (objects, threads, num_threads);
  task t = {.semantics = {.properties = 1 << IR_P_ASSERT, .max_threads = 8}};
  explicit_options o = {.reduction = reduction, .search = SEARCH_BFS};
  task_set_options (&t, &engine_explicit, &o);
  budget b;
  verdict v;
  budget_start (&b, 0, 0);
  verdict_init (&v);
  engine_run r = {.program = p, .task = &t, .budget = &b, .verdict = &v, .engine = "explicit"};
  engine_work (&engine_explicit, &r);
  assert_null (r.parted);
  search_outcome out = {v.kind, stat_of (&v, "states"), stat_of (&v, "transactions"), stat_of (&v, "states_reopened")};
  verdict_release (&v);
  ir_program_free (p);
  return out;
}

#define LOOK "r1 = load.4 seq_cst &flag; check assert (r1 == 0:32) message \"flag\""
#define RAISE "store.4 seq_cst &flag, 1:32;"

// ---- ends ---------------------------------------------------------------------------------------------
// Thread 1 commits by raising the flag and then loops for ever in left movers: without an end, no other thread would be
// scheduled after its commit.
static void expect_end_is_needed (const char *objects, const char *const threads[]) {
  assert_int_equal (search_with (REDUCTION_NONE, objects, threads, 3).kind, VERDICT_BUG);
  assert_int_equal (search_with (REDUCTION_TRANSACTIONS, objects, threads, 3).kind, VERDICT_BUG);
  assert_int_equal (search_with (REDUCTION_LEFT_MOVERS, objects, threads, 3).kind, VERDICT_BUG);
  assert_int_equal (search_with (REDUCTION_UNENDED, objects, threads, 3).kind, VERDICT_SAFE);
}

static void endless_post_commit_parts_need_an_end (void **state) {
  (void) state;
  static const char *const own[] = {"r5 = thread_join 3:64", RAISE "1: store.4 &own, 1:32; store.4 &own, 0:32; goto 1",
                                    LOOK};
  expect_end_is_needed ("flag:4 own:4", own);
}

static void also_under_a_lock (void **state) {
  (void) state;
  static const char *const locked[] = {"r5 = thread_join 3:64",
                                       "r1 = mutex_lock &m; store.4 &x, 1:32;" RAISE
                                       "1: r2 = load.4 &x; store.4 &x, (r2 ^ 1:32); goto 1",
                                       LOOK "; r1 = mutex_lock &m; store.4 &x, 5:32; r1 = mutex_unlock &m"};
  expect_end_is_needed ("flag:4 m:40 x:4", locked);
}

// The loop has an exit, so the end is after it and none is needed inside.
static void a_loop_with_a_way_out_needs_no_end (void **state) {
  (void) state;
  static const char *const threads[] = {
      "r5 = thread_join 2:64; r5 = thread_join 3:64",
      RAISE "1: r2 = load.4 &own; store.4 &own, (r2 ^ 1:32); any 1; store.4 seq_cst &flag, 0:32",
      "r1 = load.4 seq_cst &flag; r2 = load.4 seq_cst &flag"};
  search_outcome ended = search_with (REDUCTION_TRANSACTIONS, "flag:4 own:4", threads, 3),
                 unended = search_with (REDUCTION_UNENDED, "flag:4 own:4", threads, 3);
  assert_int_equal (ended.kind, VERDICT_SAFE);
  assert_int_equal (ended.states, unended.states);
}

// No other thread uses the data of thread 1, and main waits: the stored states of thread 1 are those where its loop
// ends.
static void an_endless_loop_gets_one_end (void **state) {
  (void) state;
  static const char *const threads[] = {"r5 = thread_join 2:64",
                                        RAISE "1: store.4 &own, 1:32; store.4 &own, 2:32; store.4 &own, 3:32; goto 1",
                                        "r1 = load.4 seq_cst &flag"};
  search_outcome full = search_with (REDUCTION_NONE, "flag:4 own:4", threads, 3),
                 ended = search_with (REDUCTION_TRANSACTIONS, "flag:4 own:4", threads, 3),
                 unended = search_with (REDUCTION_UNENDED, "flag:4 own:4", threads, 3);
  // thread 2 before its load, then ended: each once with the loop's end, which is one of its four states
  assert_int_equal (ended.states, unended.states + 2);
  assert_true (ended.states < full.states);
}

// ---- protection ---------------------------------------------------------------------------------------
// x seems to be protected by m until thread 2 reads it without m: states expanded before are expanded again, and the
// value in between is found.
static void lost_protection_is_made_good (void **state) {
  (void) state;
  static const char *const threads[] = {"r5 = thread_join 2:64; r5 = thread_join 3:64",
                                        "r1 = mutex_lock &m; store.4 &x, 1:32; store.4 &x, 0:32; r1 = mutex_unlock &m",
                                        "r1 = mutex_lock &m; store.4 &x, 0:32; r1 = mutex_unlock &m; r2 = load.4 &x; "
                                        "check assert (r2 == 0:32) message \"x\""};
  search_outcome found = search_with (REDUCTION_TRANSACTIONS, "m:40 x:4", threads, 3);
  assert_int_equal (found.kind, VERDICT_BUG);
  assert_true (found.reopened > 0);
  assert_int_equal (search_with (REDUCTION_LEFT_MOVERS, "m:40 x:4", threads, 3).kind, VERDICT_BUG);
}

// The only access of the other thread comes when no other thread runs any more.
static void accesses_of_a_thread_that_is_alone_count (void **state) {
  (void) state;
  static const char *const threads[] = {
      "r1 = load.4 seq_cst &flag; r8 = assign (r1 == 0:32); if r8 goto 1; store.4 &x, 1:32; 1: nop",
      RAISE "r2 = load.4 &x; check assert (r2 == 0:32) message \"x\""};
  assert_int_equal (search_with (REDUCTION_NONE, "flag:4 x:4", threads, 2).kind, VERDICT_BUG);
  assert_int_equal (search_with (REDUCTION_LEFT_MOVERS, "flag:4 x:4", threads, 2).kind, VERDICT_BUG);
  assert_int_equal (search_with (REDUCTION_TRANSACTIONS, "flag:4 x:4", threads, 2).kind, VERDICT_BUG);
}

// ---- size ---------------------------------------------------------------------------------------------
// A critical section is one transaction: acquiring the lock is a right mover, releasing it a left mover.
static void a_critical_section_is_one_transaction (void **state) {
  (void) state;
  static const char *const threads[] = {
      "r5 = thread_join 2:64; r5 = thread_join 3:64",
      "r1 = mutex_lock &m; r2 = load.4 &x; store.4 &x, (r2 + 1:32); r1 = mutex_unlock &m",
      "r1 = mutex_lock &m; r2 = load.4 &x; store.4 &x, (r2 + 1:32); r1 = mutex_unlock &m"};
  search_outcome full = search_with (REDUCTION_NONE, "m:40 x:4", threads, 3),
                 left = search_with (REDUCTION_LEFT_MOVERS, "m:40 x:4", threads, 3),
                 both = search_with (REDUCTION_TRANSACTIONS, "m:40 x:4", threads, 3);
  assert_int_equal (full.kind, VERDICT_SAFE);
  assert_int_equal (left.kind, VERDICT_SAFE);
  assert_int_equal (both.kind, VERDICT_SAFE);
  assert_true (both.states <= left.states && left.states < full.states);
}

TEST_MAIN (cmocka_unit_test (endless_post_commit_parts_need_an_end), cmocka_unit_test (also_under_a_lock),
           cmocka_unit_test (a_loop_with_a_way_out_needs_no_end), cmocka_unit_test (an_endless_loop_gets_one_end),
           cmocka_unit_test (lost_protection_is_made_good), cmocka_unit_test (accesses_of_a_thread_that_is_alone_count),
           cmocka_unit_test (a_critical_section_is_one_transaction))
