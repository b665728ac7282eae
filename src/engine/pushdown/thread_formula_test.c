// Temporal properties of single threads: programs written in the text form, each formula with its answer; then random
// programs against an explicit product of configurations and automaton.
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/test.h"
#include "engine/engine.h"
#include "engine/pushdown/pushdown_impl.h"

// ---- asking ------------------------------------------------------------------------------------------

typedef struct formula_answer {
  verdict_kind kind;
  strbuf text;
} formula_answer;  // text: message of the first goal, then a line per location

static ir_program *parse_formula_program (const char *objects, const char *procs) {
  strbuf text = {0};
  strbuf_printf (&text, "lockstep-ir 1\npointer_bits 64\noffset_bits 32\nfile \"a.c\"\n%s\nstart &start\n%s", objects,
                 procs);
  char *error = NULL;
  ir_program *p = ir_parse (strbuf_text (&text), "test", &error);
  if (!p) fail_msg ("%s\n%s", error, strbuf_text (&text));
  if (!ir_check (p, &error)) fail_msg ("%s\n%s", error, strbuf_text (&text));
  strbuf_release (&text);
  return p;
}

static void ask_formula (const ir_program *p, const char *formula, formula_answer *out) {
  verdict v;
  budget budget;
  task task = {.ltl = formula};
  verdict_init (&v);
  budget_start (&budget, 0, 0);
  pointsto *targets = pointsto_new (p);
  engine_run run = {.program = p, .task = &task, .budget = &budget, .verdict = &v, .engine = "locks"};
  thread_formula_check (&run, targets);
  verdict_settle (&v, task_asks (&task));
  verdict_sum_up (&v, task_asks (&task), NULL);
  assert_true (v.goals.count > 0);
  *out = (formula_answer){.kind = v.kind};
  strbuf_add (&out->text, v.goals.data[0].message);
  for (uint32_t k = 0; k < v.goals.data[0].locations.count; k++) {
    const goal_location *l = &v.goals.data[0].locations.data[k];
    strbuf_printf (&out->text, "\n%u %s: %s", l->pos.line, l->function, l->what);
  }
  pointsto_free (targets);
  verdict_release (&v);
}

static void expect_answer (const ir_program *p, const char *formula, verdict_kind kind) {
  formula_answer a;
  ask_formula (p, formula, &a);
  if (a.kind != kind)
    fail_msg ("%s: %s, not %s\n%s", formula, verdict_kind_name[a.kind], verdict_kind_name[kind], strbuf_text (&a.text));
  strbuf_release (&a.text);
}

static void expect_text (const ir_program *p, const char *formula, const char *part) {
  formula_answer a;
  ask_formula (p, formula, &a);
  if (!strstr (strbuf_text (&a.text), part)) fail_msg ("%s: `%s` is not in\n%s", formula, part, strbuf_text (&a.text));
  strbuf_release (&a.text);
}

static const char one_lock[] =
    "global #1 m : 40 bytes align 8\nglobal #2 x : 4 bytes align 4\nfunction #3 start : 0 bytes\n";

#define POSSIBLE VERDICT_UNKNOWN

// ---- straight code -----------------------------------------------------------------------------------

static void lock_and_unlock (void **state) {
  (void) state;
  ir_program *p = parse_formula_program (one_lock, "proc start = #3 () @\"a.c\":1:1 entry L0 {\n regs r0:32\n"
                                                   " L0: r0 = mutex_lock &m name \"m\" @2:1 -> L1\n"
                                                   " L1: store.4 &x, 1:32 name \"x\" @3:1 -> L2\n"
                                                   " L2: r0 = mutex_unlock &m name \"m\" @4:1 -> L3\n"
                                                   " L3: exit 0:32 @5:1\n}\n");
  expect_answer (p, "A G(acquired(m) -> F released(m))", VERDICT_SAFE);
  expect_answer (p, "A F holds(m)", VERDICT_SAFE);
  expect_answer (p, "A F G !holds(m)", VERDICT_SAFE);
  expect_answer (p, "A G(at(3) -> holds(m))", VERDICT_SAFE);
  expect_answer (p, "A G(at(a.c:4) <-> (holds(m) && !at(3)))", VERDICT_SAFE);
  expect_answer (p, "A !released(m) U acquired(m)", VERDICT_SAFE);
  expect_answer (p, "A G !at(5)", POSSIBLE);
  expect_answer (p, "E F at(5)", POSSIBLE);
  expect_answer (p, "E G holds(m)", VERDICT_BUG);
  expect_answer (p, "E F(released(m) && F acquired(m))", VERDICT_BUG);
  expect_answer (p, "A F in(start)", VERDICT_SAFE);
  expect_answer (p, "thread(start): A F released(m)", VERDICT_SAFE);
  expect_text (p, "A G !released(m)", "4 start: released(m)");
  expect_text (p, "A G !released(m)", "decided here");
  ir_program_free (p);
}

static void a_branch_forgets_the_unlock (void **state) {
  (void) state;
  ir_program *p =
      parse_formula_program (one_lock, "proc start = #3 () @\"a.c\":1:1 entry L0 {\n regs r0:32, r1:32\n"
                                       " L0: r0 = mutex_lock &m name \"m\" @2:1 -> L1\n"
                                       " L1: r1 = load.4 &x name \"x\" @3:1 -> L2\n"
                                       " L2: assume (r1 == 0:32) @3:1 -> L3\n L2: assume (r1 != 0:32) @3:1 -> L4\n"
                                       " L3: r0 = mutex_unlock &m name \"m\" @4:1 -> L4\n"
                                       " L4: exit 0:32 @5:1\n}\n");
  expect_text (p, "A G(acquired(m) -> F released(m))",
               "2 start: acquired(m)\n3 start: branches to line 5\n5 start: the thread ends");
  expect_answer (p, "E F(acquired(m) && F released(m))", POSSIBLE);
  ir_program_free (p);
}

static void relocking_blocks (void **state) {
  (void) state;
  ir_program *p = parse_formula_program (one_lock, "proc start = #3 () @\"a.c\":1:1 entry L0 {\n regs r0:32\n"
                                                   " L0: r0 = mutex_lock &m name \"m\" @2:1 -> L1\n"
                                                   " L1: r0 = mutex_lock &m name \"m\" @3:1 -> L2\n"
                                                   " L2: exit 0:32 @4:1\n}\n");
  expect_text (p, "A F at(4)", "3 start: waits for ever for a lock that it holds itself");
  expect_answer (p, "A G !at(4)", VERDICT_SAFE);
  ir_program_free (p);
}

static void recursive_mutexes_count (void **state) {
  (void) state;
  const char *recursive = "global #1 m : 40 bytes align 8 init "
                          "\"\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01\"\n"
                          "function #2 start : 0 bytes\n";
  ir_program *p = parse_formula_program (recursive, "proc start = #2 () @\"a.c\":1:1 entry L0 {\n regs r0:32\n"
                                                    " L0: r0 = mutex_lock &m name \"m\" @2:1 -> L1\n"
                                                    " L1: r0 = mutex_lock &m name \"m\" @3:1 -> L2\n"
                                                    " L2: r0 = mutex_unlock &m name \"m\" @4:1 -> L3\n"
                                                    " L3: r0 = mutex_unlock &m name \"m\" @5:1 -> L4\n"
                                                    " L4: exit 0:32 @6:1\n}\n");
  expect_answer (p, "A F at(6)", VERDICT_SAFE);
  expect_answer (p, "A G((at(3) || at(4) || at(5)) <-> holds(m))", VERDICT_SAFE);
  ir_program_free (p);
}

static void a_trylock_is_followed (void **state) {
  (void) state;
  ir_program *p =
      parse_formula_program (one_lock, "proc start = #3 () @\"a.c\":1:1 entry L0 {\n regs r0:32\n"
                                       " L0: r0 = mutex_trylock &m name \"m\" @2:1 -> L1\n"
                                       " L1: assume (r0 == 0:32) @2:1 -> L2\n L1: assume (r0 != 0:32) @2:1 -> L3\n"
                                       " L2: r0 = mutex_unlock &m name \"m\" @3:1 -> L3\n"
                                       " L3: exit 0:32 @4:1\n}\n");
  expect_answer (p, "A G(acquired(m) -> F released(m))", VERDICT_SAFE);
  expect_answer (p, "A F acquired(m)", POSSIBLE);
  expect_answer (p, "A G(released(m) -> !holds(m))", VERDICT_SAFE);
  ir_program_free (p);
}

// ---- errors ------------------------------------------------------------------------------------------

static void runs_cut_by_errors_count_as_far_as_they_go (void **state) {
  (void) state;
  ir_program *p = parse_formula_program (one_lock, "proc start = #3 () @\"a.c\":1:1 entry L0 {\n regs r0:32\n"
                                                   " L0: r0 = mutex_lock &m name \"m\" @2:1 -> L1\n"
                                                   " L1: check assert 0:1 message \"never\" @3:1 -> L2\n"
                                                   " L2: exit 0:32 @4:1\n}\n");
  expect_answer (p, "A F released(m)", VERDICT_SAFE);  // owed, but the run did not get to its end
  expect_answer (p, "A G !at(3)", POSSIBLE);
  expect_answer (p, "E F at(3)", POSSIBLE);
  expect_answer (p, "E F at(4)", VERDICT_BUG);
  ir_program_free (p);
}

static void words_without_meaning_are_told (void **state) {
  (void) state;
  ir_program *p =
      parse_formula_program (one_lock, "proc start = #3 () @\"a.c\":1:1 entry L0 {\n regs r0:32\n"
                                       " L0: r0 = mutex_lock &m name \"m\" @2:1 -> L1\n L1: exit 0:32 @3:1\n}\n");
  expect_text (p, "A F at(17)", "no operation at line");
  expect_text (p, "A F at(here)", "no label");
  expect_text (p, "A F in(foo)", "no function");
  expect_text (p, "A F acquired(x)", "no lock operation");
  expect_text (p, "A F acquired(nothing)", "no lock operation");
  expect_text (p, "thread(foo): A F acquired(m)", "no thread starts in");
  expect_text (p, "A X acquired(m)", "X (next)");
  ir_program_free (p);
}

// ---- loops -------------------------------------------------------------------------------------------

// while (test) body; between lock and unlock.
static ir_program *loop_program (const char *start, const char *test, const char *not_test, const char *body) {
  strbuf text = {0};
  strbuf_printf (&text,
                 "proc start = #3 () @\"a.c\":1:1 entry L0 {\n regs r0:32, r1:32, r2:32\n"
                 " L0: r0 = mutex_lock &m name \"m\" @2:1 -> L1\n"
                 " L1: r1 = assign %s @3:1 -> L2\n"
                 " L2: assume %s @4:1 -> L3\n L2: assume %s @4:1 -> L4\n"
                 " L3: %s @5:1 -> L2\n"
                 " L4: r0 = mutex_unlock &m name \"m\" @6:1 -> L5\n"
                 " L5: exit 0:32 @7:1\n}\n",
                 start, test, not_test, body);
  ir_program *p = parse_formula_program (one_lock, strbuf_text (&text));
  strbuf_release (&text);
  return p;
}

static void expect_loop (const char *start, const char *test, const char *not_test, const char *body,
                         verdict_kind kind) {
  ir_program *p = loop_program (start, test, not_test, body);
  expect_answer (p, "A G(acquired(m) -> F released(m))", kind);
  expect_answer (p, "E F released(m)", POSSIBLE);
  expect_answer (p, "A G(at(5) -> holds(m))", VERDICT_SAFE);
  ir_program_free (p);
}

static void loops_may_run_for_ever (void **state) {
  (void) state;
  expect_loop ("0:32", "(r2 == 0:32)", "(r2 != 0:32)", "r2 = load.4 &x name \"x\"", POSSIBLE);
  expect_loop ("0:32", "(r1 s< 10:32)", "(10:32 s<= r1)", "r1 = assign (r1 +.nsw 1:32)", VERDICT_SAFE);
  expect_loop ("r2", "(0:32 u< r1)", "(r1 u<= 0:32)", "r1 = assign (r1 + -1:32)", VERDICT_SAFE);
  expect_loop ("r2", "(r1 != r0)", "(r1 == r0)", "r1 = assign (r1 + -1:32)", VERDICT_SAFE);
  expect_loop ("0:32", "(r1 s<= r2)", "(r2 s< r1)", "r1 = assign (r1 +.nsw 2:32)", VERDICT_SAFE);
  expect_loop ("0:32", "(r1 u<= r2)", "(r2 u< r1)", "r1 = assign (r1 + 1:32)", POSSIBLE);  // up to the largest number
  expect_loop ("0:32", "(r1 s< 10:32)", "(10:32 s<= r1)", "r1 = assign (r1 +.nsw -1:32)", POSSIBLE);  // the wrong way
  expect_loop ("0:32", "(r1 != r2)", "(r1 == r2)", "r1 = assign (r1 + 2:32)", POSSIBLE);             // may step over it
  expect_loop ("0:32", "(r1 s< 10:32)", "(10:32 s<= r1)", "r2 = assign (r1 +.nsw 1:32)", POSSIBLE);  // does not count
}

static void an_outer_loop_goes_on (void **state) {
  (void) state;
  ir_program *p =
      parse_formula_program (one_lock, "proc start = #3 () @\"a.c\":1:1 entry L0 {\n regs r0:32, r1:32, r2:32\n"
                                       " L0: r1 = assign 0:32 @2:1 -> L1\n"
                                       " L1: assume (r1 s< 10:32) @3:1 -> L2\n L1: assume (10:32 s<= r1) @3:1 -> L0\n"
                                       " L2: r1 = assign (r1 +.nsw 1:32) @4:1 -> L1\n}\n");
  expect_answer (p, "A G F at(2)", VERDICT_SAFE);
  expect_answer (p, "A F G !at(2)", POSSIBLE);
  expect_answer (p, "E G F at(4)", POSSIBLE);
  expect_text (p, "A F G !at(4)", "from here on, again and again:");
  ir_program_free (p);
}

// ---- calls -------------------------------------------------------------------------------------------

static const char two_locks[] =
    "global #1 m : 40 bytes align 8\nglobal #2 n : 40 bytes align 8\nglobal #3 x : 4 bytes align 4\n"
    "function #4 start : 0 bytes\nfunction #5 enter : 0 bytes\nfunction #6 leave : 0 bytes\nfunction #7 work : 0 "
    "bytes\n";
static const char wrappers[] = "proc enter = #5 (r0:64 \"p\") @\"a.c\":20:1 entry L20 {\n regs r1:32\n"
                               " L20: r1 = mutex_lock r0 name \"*p\" @21:1 -> L21\n L21: return @22:1\n}\n"
                               "proc leave = #6 (r0:64 \"p\") @\"a.c\":30:1 entry L22 {\n regs r1:32\n"
                               " L22: r1 = mutex_unlock r0 name \"*p\" @31:1 -> L23\n L23: return @32:1\n}\n";

static ir_program *with_wrappers (const char *start, const char *work) {
  strbuf text = {0};
  strbuf_printf (&text, "%s%s", start, wrappers);
  strbuf_printf (&text, "proc work = #7 () @\"a.c\":10:1 entry L10 {\n regs r0:32\n%s}\n", work);
  ir_program *p = parse_formula_program (two_locks, strbuf_text (&text));
  strbuf_release (&text);
  return p;
}

// Numbers of locations have no gaps, so bodies say which of L0..L19 they do not use.
static void wrappers_mean_their_argument (void **state) {
  (void) state;
  ir_program *p =
      with_wrappers ("proc start = #4 () @\"a.c\":1:1 entry L0 {\n"
                     " L0: call &enter, &m @2:1 -> L1\n L1: call &enter, &n @3:1 -> L2\n"
                     " L2: call &work @4:1 -> L3\n L3: call &leave, &n @5:1 -> L4\n"
                     " L4: call &leave, &m @6:1 -> L5\n L5: nop @7:1 -> L6\n L6: nop @7:1 -> L7\n"
                     " L7: nop @7:1 -> L8\n L8: nop @7:1 -> L9\n L9: exit 0:32 @7:1\n}\n",
                     " L10: r0 = load.4 &x name \"x\" @11:1 -> L11\n L11: assume (r0 == 0:32) @12:1 -> L12\n"
                     " L11: assume (r0 != 0:32) @12:1 -> L13\n L12: call &work @13:1 -> L14\n L14: nop @14:1 -> L15\n"
                     " L15: nop @14:1 -> L16\n L16: nop @14:1 -> L17\n L17: nop @14:1 -> L18\n L18: nop @14:1 -> L19\n"
                     " L19: nop @14:1 -> L13\n L13: return @15:1\n");
  expect_answer (p, "A G(in(work) -> holds(m) && holds(n))", VERDICT_SAFE);
  expect_answer (p, "A G(holds(n) -> holds(m))", VERDICT_SAFE);
  expect_answer (p, "A !holds(n) W acquired(m)", VERDICT_SAFE);
  expect_answer (p, "A !released(m) W released(n)", VERDICT_SAFE);
  expect_answer (p, "A G(at(7) -> !holds(m) && !holds(n))", VERDICT_SAFE);
  expect_answer (p, "A G(called(leave) -> F released(m))", VERDICT_SAFE);
  expect_answer (p, "A G F called(work)", POSSIBLE);  // it ends
  expect_answer (p, "E G F called(work)", POSSIBLE);  // recursion without end
  expect_text (p, "A F released(m)",
               "from here on, again and again:\n12 work: branches to line 13\n13 work: calls work\n");
  expect_text (p, "A F released(m)", "calls deeper and deeper for ever");
  expect_text (p, "A F G !called(work)", "13 work: calls work: called(work)");
  ir_program_free (p);
}

// ---- threads, pointers, waits ------------------------------------------------------------------------

static void every_kind_of_thread_is_asked (void **state) {
  (void) state;
  ir_program *p = parse_formula_program (
      "global #1 m : 40 bytes align 8\nglobal #2 t : 8 bytes align 8\nfunction #3 start : 0 bytes\nfunction #4 good : "
      "0 bytes\n"
      "function #5 bad : 0 bytes\n",
      "proc start = #3 () @\"a.c\":1:1 entry L0 {\n regs r0:32\n"
      " L0: r0 = thread_create &t, &good, 0:64 @2:1 -> L1\n L1: r0 = thread_create &t, &bad, 0:64 @3:1 -> L2\n"
      " L2: exit 0:32 @4:1\n}\n"
      "proc good = #4 (r0:64) -> 64 @\"a.c\":10:1 entry L3 {\n regs r1:32\n"
      " L3: r1 = mutex_lock &m name \"m\" @11:1 -> L4\n L4: r1 = mutex_unlock &m name \"m\" @12:1 -> L5\n"
      " L5: return 0:64 @13:1\n}\n"
      "proc bad = #5 (r0:64) -> 64 @\"a.c\":20:1 entry L6 {\n regs r1:32\n"
      " L6: r1 = mutex_lock &m name \"m\" @21:1 -> L7\n L7: return 0:64 @22:1\n}\n");
  expect_text (p, "A G(acquired(m) -> F released(m))", "thread that starts in bad: a run that ends");
  expect_answer (p, "thread(good): A G(acquired(m) -> F released(m))", VERDICT_SAFE);
  expect_answer (p, "thread(start): A G !acquired(m)", VERDICT_SAFE);
  expect_answer (p, "A F acquired(m)", POSSIBLE);  // not in main
  expect_answer (p, "E F released(m)", POSSIBLE);
  expect_answer (p, "thread(bad): E F released(m)", VERDICT_BUG);
  ir_program_free (p);
}

// The pointer may lead to m or to n.
static void what_may_be_the_lock_may_be_it (void **state) {
  (void) state;
  ir_program *p = parse_formula_program (
      "global #1 m : 40 bytes align 8\nglobal #2 n : 40 bytes align 8\nglobal #3 q : 8 bytes align 8\n"
      "global #4 x : 4 bytes align 4\nfunction #5 start : 0 bytes\n",
      "proc start = #5 () @\"a.c\":1:1 entry L0 {\n regs r0:32, r1:64\n"
      " L0: store.8 &q, &m name \"q\" @2:1 -> L1\n L1: r0 = load.4 &x name \"x\" @3:1 -> L2\n"
      " L2: assume (r0 == 0:32) @3:1 -> L3\n L2: assume (r0 != 0:32) @3:1 -> L4\n"
      " L3: store.8 &q, &n name \"q\" @4:1 -> L4\n L4: r1 = load.8 &q name \"q\" @5:1 -> L5\n"
      " L5: r0 = mutex_lock r1 name \"*q\" @6:1 -> L6\n L6: nop @7:1 -> L7\n"
      " L7: r0 = mutex_unlock r1 name \"*q\" @8:1 -> L8\n L8: exit 0:32 @9:1\n}\n");
  expect_text (p, "A G !acquired(m)", "6 start: perhaps acquired(m)");
  expect_answer (p, "A F acquired(m)", POSSIBLE);
  expect_answer (p, "E F acquired(n)", POSSIBLE);
  expect_answer (p, "E F(at(7) && holds(m))", POSSIBLE);
  expect_answer (p, "A G(at(7) -> holds(m))", POSSIBLE);
  expect_answer (p, "A G(at(5) -> !holds(m))", VERDICT_SAFE);
  expect_answer (p, "A G(acquired(*q) -> F released(*q))", VERDICT_SAFE);  // by its text
  expect_answer (p, "A F acquired(*q)", VERDICT_SAFE);
  expect_text (p, "A G holds(*q)", "may name several locks");
  ir_program_free (p);
}

static void a_wait_gives_the_mutex_back (void **state) {
  (void) state;
  ir_program *p = parse_formula_program (
      "global #1 m : 40 bytes align 8\nglobal #2 c : 48 bytes align 8\nfunction #3 start : 0 bytes\n",
      "proc start = #3 () @\"a.c\":1:1 entry L0 {\n regs r0:32, r1:32\n"
      " L0: r0 = mutex_lock &m name \"m\" @2:1 -> L1\n"
      " L1: assume (r1 == 0:32) @3:1 -> L2\n L1: assume (r1 != 0:32) @3:1 -> L4\n"
      " L2: cond_wait &c, &m name \"c\" @4:1 -> L3\n L3: r0 = cond_resume &c, &m name \"c\" @4:1 -> L1\n"
      " L4: r0 = mutex_unlock &m name \"m\" @5:1 -> L5\n L5: exit 0:32 @6:1\n}\n");
  expect_answer (p, "A G(acquired(m) -> F released(m))", VERDICT_SAFE);
  expect_answer (p, "A F at(5)", POSSIBLE);
  expect_answer (p, "A G(at(5) -> holds(m))", VERDICT_SAFE);
  expect_answer (p, "A G(released(m) -> !holds(m) && !at(3))", VERDICT_SAFE);
  ir_program_free (p);
}

TEST_MAIN (cmocka_unit_test (lock_and_unlock), cmocka_unit_test (a_branch_forgets_the_unlock),
           cmocka_unit_test (relocking_blocks), cmocka_unit_test (recursive_mutexes_count),
           cmocka_unit_test (a_trylock_is_followed), cmocka_unit_test (runs_cut_by_errors_count_as_far_as_they_go),
           cmocka_unit_test (words_without_meaning_are_told), cmocka_unit_test (loops_may_run_for_ever),
           cmocka_unit_test (an_outer_loop_goes_on), cmocka_unit_test (wrappers_mean_their_argument),
           cmocka_unit_test (every_kind_of_thread_is_asked), cmocka_unit_test (what_may_be_the_lock_may_be_it),
           cmocka_unit_test (a_wait_gives_the_mutex_back))
