// What is counted, and what of it was reached: by a plain run, by a run that begins with a schedule, and without any
// run.
#include "base/test.h"
#include "verdict/verdict.h"

// main asserts, and creates the thread only if an input is 7.
static const char text[] = "lockstep-ir 1 pointer_bits 64 offset_bits 32\n"
                           "global #1 x : 4 bytes\n"
                           "global #2 m : 40 bytes\n"
                           "function #3 main : 0 bytes\n"
                           "function #4 worker : 0 bytes\n"
                           "function #5 unused : 0 bytes\n"
                           "start &main\n"
                           "proc main = #3 () @\"a.c\":1:1 entry L0 {\n"
                           "  regs r0:32, r1:32, r2:64, r3:64\n"
                           "  L0: r0 = nondet number @2:1 -> L1\n"
                           "  L1: assume (r0 == 0:32) @3:1 -> L2\n"
                           "  L1: assume (r0 != 0:32) @3:1 -> L3\n"
                           "  L3: assume (r0 == 7:32) @4:1 -> L4\n"
                           "  L3: assume (r0 != 7:32) @4:1 -> L8\n"
                           "  L8: check assert 0:1 message \"seven\" @4:1 -> L2\n"
                           "  L4: r2 = alloc stack 8:64 @5:1 -> L5\n"
                           "  L5: r1 = thread_create r2, &worker, 0:64 @5:1 -> L6\n"
                           "  L6: r3 = load.8 r2 @6:1 -> L7\n"
                           "  L7: r3 = thread_join r3 @6:1 -> L2\n"
                           "  L2: exit 0:32 @7:1\n"
                           "}\n"
                           "proc worker = #4 (r0:64) -> 64 @\"a.c\":10:1 entry L9 {\n"
                           "  regs r1:32, r2:32\n"
                           "  L9: r1 = mutex_lock &m @11:1 -> L10\n"
                           "  L10: store.4 &x, 1:32 @12:1 -> L11\n"
                           "  L11: r2 = mutex_unlock &m @13:1 -> L12\n"
                           "  L12: return 0:64 @14:1\n"
                           "}\n"
                           "proc unused = #5 () @\"a.c\":20:1 entry L13 {\n"
                           "  regs r0:32\n"
                           "  L13: r0 = mutex_lock &m @21:1 -> L14\n"
                           "  L14: return @22:1\n"
                           "}\n";

static ir_program *program (void) {
  char *error = NULL;
  ir_program *p = ir_parse (text, "a.ir", &error);
  if (!p || !ir_check (p, &error)) fail_msg ("%s", error);
  return p;
}

static void run (verdict *v, const ir_program *p, const schedule *prefix) {
  run_options o = {.semantics = {.max_threads = 4}, .prefix = prefix};
  run_result r;
  run_program (v, p, &o, &r);
  run_result_release (&r);
  verdict_survey (v);
}

static void assert_share (coverage_share share, uint32_t reached, uint32_t all) {
  assert_int_equal (share.reached, reached);
  assert_int_equal (share.all, all);
}

static void counts_what_runs_reach (void **state) {
  (void) state;
  ir_program *p = program ();
  verdict v;
  verdict_init (&v);
  verdict_survey (&v);
  assert_false (v.coverage.known);
  verdict_watch (&v, p);
  run (&v, p, NULL);  // the input is 0
  assert_true (v.coverage.known && v.coverage.creates && !v.coverage.created);
  assert_int_equal (v.coverage.creation.line, 5);
  assert_share (v.coverage.threads, 0, 1);
  assert_string_equal (v.coverage.missed_threads.data[0], "worker");
  assert_share (v.coverage.assertions, 0, 1);
  assert_string_equal (v.coverage.missed_assertions.data[0], "a.c:4");
  assert_share (v.coverage.locks, 0, 2);  // `unused` is never called
  schedule seven = {0};
  schedule_add (&seven, 0, 3);
  vec_push (&seven.choices, 7);
  run (&v, p, &seven);  // the union of both
  assert_true (v.coverage.created && coverage_is_whole (&v.coverage));
  assert_share (v.coverage.threads, 1, 1);
  assert_share (v.coverage.assertions, 1, 1);
  assert_share (v.coverage.locks, 2, 2);
  assert_share (v.coverage.accesses, 2, 2);  // the address of the handle escapes
  schedule_release (&seven);
  verdict_release (&v);
  ir_program_free (p);
}

// Executions of another program are not recorded.
static void notes_only_the_watched_program (void **state) {
  (void) state;
  ir_program *p = program (), *other = program ();
  verdict v;
  verdict_init (&v);
  verdict_watch (&v, p);
  run (&v, other, NULL);
  assert_share (v.coverage.locks, 0, 2);
  for (uint32_t e = 0; e < p->edges.count; e++) assert_int_equal (v.reached.edge[e], 0);
  verdict_release (&v);
  ir_program_free (p);
  ir_program_free (other);
}

TEST_MAIN (cmocka_unit_test (counts_what_runs_reach), cmocka_unit_test (notes_only_the_watched_program))
