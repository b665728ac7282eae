// The whole chain, from a program to the goals of the engine: paths, names of locks through calls, creation in loops
// and in called functions, call stacks, histories.  Every interleaving is executed on simulated locks.
#include <stdlib.h>
#include <string.h>

#include "base/test.h"
#include "engine/engine.h"

static const char objects[] = "lockstep-ir 1\npointer_bits 64\noffset_bits 32\nfile \"a.c\"\n"
                              "global #1 a : 40 bytes align 8\nglobal #2 b : 40 bytes align 8\nglobal #3 c : 40 bytes "
                              "align 8\nglobal #4 x : 4 bytes align 4\n"
                              "global #5 h : 16 bytes align 8\nfunction #6 start : 0 bytes\nfunction #7 one : 0 "
                              "bytes\nfunction #8 two : 0 bytes\nfunction #9 take : 0 bytes\n"
                              "function #10 spawn : 0 bytes\nstart &start\n";

// ---- writing programs -----------------------------------------------------------------------------------------------
typedef struct text {
  strbuf program;
  uint32_t next;
} text;  // next: number of a location

static bool text_ends (const char *op) { return !strncmp (op, "return", 6) || !strncmp (op, "thread_exit", 11); }

// Straight code, one operation on each line of a.c from `line` on.
static void add_text_proc (text *t, const char *head, uint32_t line, const char *const *ops) {
  strbuf_printf (&t->program, "proc %s @\"a.c\":%u:1 entry L%u {\n regs %sr1:32\n", head, line, t->next,
                 strstr (head, "r0") ? "" : "r0:64, ");
  for (; *ops; ops++) {
    strbuf_printf (&t->program, " L%u: %s @%u:1", t->next, *ops, line++);
    t->next++;
    if (!text_ends (*ops)) strbuf_printf (&t->program, " -> L%u", t->next);
    strbuf_add (&t->program, "\n");
  }
  strbuf_add (&t->program, "}\n");
}
#define PROC(T, HEAD, LINE, ...) add_text_proc (T, HEAD, LINE, (const char *const[]){__VA_ARGS__, NULL})
#define LOCK(M) "r1 = mutex_lock &" M " name \"" M "\""
#define UNLOCK(M) "r1 = mutex_unlock &" M " name \"" M "\""
#define WRITE "store.4 &x, 1:32 name \"x\""

static void begin_text (text *t) {
  *t = (text){0};
  strbuf_add (&t->program, objects);
}

static void begin_with_two_threads (text *t) {
  begin_text (t);
  PROC (t, "start = #6 ()", 1, "r1 = thread_create &h, &one, 0:64", "r1 = thread_create (&h + 8:64), &two, 0:64",
        "thread_exit 0:64");
}

static ir_program *finish_text (text *t) {
  char *error = NULL;
  ir_program *p = ir_parse (strbuf_text (&t->program), "test", &error);
  if (!p || !ir_check (p, &error)) fail_msg ("%s\n%s", error, strbuf_text (&t->program));
  strbuf_release (&t->program);
  return p;
}

static void analyse_text (const ir_program *p, verdict *v) {
  budget budget;
  task task = {.semantics = {.properties = 1u << IR_P_RACE | 1u << IR_P_DEADLOCK, .max_threads = 8}};
  verdict_init (v);
  budget_start (&budget, 0, 0);
  engine_run run = {.program = p, .task = &task, .budget = &budget, .verdict = v, .engine = "locks"};
  engine_locks.run (&run);
}

// ---- executing -----------------------------------------------------------------------------------------------------
enum { THREADS = 8, LOCKS = 8 };
typedef struct trace_world {
  const char *lock[LOCKS];
  uint32_t holder[LOCKS], num_locks;
  bool alive[THREADS];
} trace_world;  // holder: thread + 1

static uint32_t *trace_holder_of (trace_world *w, const char *lock) {
  for (uint32_t k = 0; k < w->num_locks; k++)
    if (!strcmp (w->lock[k], lock)) return &w->holder[k];
  assert_true (w->num_locks < LOCKS);
  w->lock[w->num_locks++] = lock;
  return &w->holder[w->num_locks - 1];
}

static void assert_trace_legal (const goal *g) {
  trace_world w = {.alive = {true}};
  uint32_t taken = g->steps.count - g->sides.count;  // the last ones are only stood before
  for (uint32_t k = 0; k < taken; k++) {
    const trace_step *s = &g->steps.data[k];
    assert_true (w.alive[s->thread]);
    if (s->op == IR_STEP_CREATE && s->other != IR_NONE) w.alive[s->other] = true;
    if (s->op == IR_STEP_LOCK) {
      assert_int_equal (*trace_holder_of (&w, s->object), 0);
      *trace_holder_of (&w, s->object) = s->thread + 1;
    }
    if (s->op == IR_STEP_UNLOCK) {
      assert_int_equal (*trace_holder_of (&w, s->object), s->thread + 1);
      *trace_holder_of (&w, s->object) = 0;
    }
  }
  for (uint32_t k = 0; k < g->sides.count; k++)
    for (uint32_t i = 0; i < g->sides.data[k].held.count; i++)
      assert_int_equal (*trace_holder_of (&w, g->sides.data[k].held.data[i].name), g->sides.data[k].thread + 1);
}

// The goals that are possible; each with a legal interleaving, if it has one.
static const goal *only_possible (const verdict *v, ir_property p, uint32_t count) {
  const goal *first = NULL;
  uint32_t found = 0;
  for (uint32_t k = 0; k < v->goals.count; k++) {
    const goal *g = &v->goals.data[k];
    if (g->property != p || !g->sides.count) continue;
    if (!first) first = g;
    found++;
    assert_true ((g->steps.count > 0) != (g->no_steps != NULL));
    if (g->steps.count) assert_trace_legal (g);
  }
  assert_int_equal (found, count);
  return first;
}

static void assert_steps (const goal *g, const char *expected) {
  strbuf text = {0};
  for (uint32_t k = 0; k + g->sides.count < g->steps.count; k++) {
    const trace_step *s = &g->steps.data[k];
    strbuf_printf (&text, "%s%u %s %s", k ? ", " : "", s->thread, ir_step_of (s->op)->word,
                   s->object ? s->object : "-");
  }
  assert_string_equal (strbuf_text (&text), expected);
  strbuf_release (&text);
}

// ---- programs -------------------------------------------------------------------------------------------------------
// LOCK section 5.1 in small: one has a and took c, two has c and took b; both by a function that is given the lock.
static void paper_example_has_run (void **state) {
  (void) state;
  text t;
  begin_with_two_threads (&t);
  PROC (&t, "one = #7 (r0:64) -> 64", 10, LOCK ("a"), "call &take, &c", LOCK ("b"), WRITE, UNLOCK ("b"), UNLOCK ("a"),
        "return 0:64");
  PROC (&t, "two = #8 (r0:64) -> 64", 20, LOCK ("c"), "call &take, &b", WRITE, UNLOCK ("c"), "return 0:64");
  PROC (&t, "take = #9 (r0:64 \"m\")", 30, "r1 = mutex_lock r0 name \"*m\"", "r1 = mutex_unlock r0 name \"*m\"",
        "return");
  ir_program *p = finish_text (&t);
  verdict v;
  analyse_text (p, &v);
  const goal *g = only_possible (&v, IR_P_RACE, 1);
  assert_steps (g, "0 create one, 0 create two, 1 lock a, 1 call take, 1 lock c, 1 unlock c, 2 lock c, 2 call take, 2 "
                   "lock b, 2 unlock b, 1 lock b");
  const goal_side *one = &g->sides.data[0], *two = &g->sides.data[1];
  assert_int_equal (one->held.data[0].num_after, 2);
  assert_string_equal (two->held.data[0].name, "c");
  assert_string_equal (two->held.data[0].after[0], "b");
  assert_int_equal (two->held.data[0].taken.line, 20);
  assert_int_equal (one->created.line, 1);
  verdict_release (&v);
  ir_program_free (p);
}

// main creates threads in a loop, inside a function, and then writes under another lock than they.
static void created_in_a_loop (void **state) {
  (void) state;
  text t;
  begin_text (&t);
  strbuf_add (
      &t.program,
      "proc start = #6 () @\"a.c\":1:1 entry L0 {\n regs r0:32, r1:1\n L0: r1 = nondet message \"n\" @2:1 -> L1\n"
      " L1: assume r1 @2:1 -> L2\n L1: assume (r1 == 0:1) @2:1 -> L3\n L2: call &spawn @3:1 -> L0\n"
      " L3: r0 = mutex_lock &b name \"b\" @5:1 -> L4\n L4: store.4 &x, 1:32 name \"x\" @6:1 -> L5\n L5: exit 0:32 "
      "@7:1\n}\n");
  t.next = 6;
  PROC (&t, "one = #7 (r0:64) -> 64", 10, LOCK ("a"), "call &take", UNLOCK ("a"), "return 0:64");
  PROC (&t, "take = #9 ()", 20, "r1 = load.4 &x name \"x\"", "return");
  PROC (&t, "spawn = #10 ()", 30, "r1 = thread_create &h, &one, 0:64", "return");
  PROC (&t, "two = #8 ()", 40, "return");
  ir_program *p = finish_text (&t);
  verdict v;
  analyse_text (p, &v);
  const goal *g = only_possible (&v, IR_P_RACE, 1);
  const goal_side *worker = &g->sides.data[g->sides.data[0].thread ? 0 : 1];
  assert_string_equal (worker->entry, "one");
  assert_true (worker->several);
  assert_int_equal (worker->stack.count, 2);
  assert_string_equal (worker->stack.data[1].function, "take");
  assert_int_equal (worker->stack.data[1].pos.line, 11);
  assert_true (g->steps.count > 0);
  verdict_release (&v);
  ir_program_free (p);
}

// Two threads take a and b in opposite orders.
static void deadlock (void **state) {
  (void) state;
  text t;
  begin_with_two_threads (&t);
  PROC (&t, "one = #7 (r0:64) -> 64", 10, LOCK ("a"), LOCK ("b"), UNLOCK ("b"), UNLOCK ("a"), "return 0:64");
  PROC (&t, "two = #8 (r0:64) -> 64", 20, LOCK ("b"), LOCK ("a"), UNLOCK ("a"), UNLOCK ("b"), "return 0:64");
  ir_program *p = finish_text (&t);
  verdict v;
  analyse_text (p, &v);
  only_possible (&v, IR_P_RACE, 0);
  const goal *g = only_possible (&v, IR_P_DEADLOCK, 1);
  assert_string_equal (g->about, "a, b");
  assert_steps (g, "0 create one, 0 create two, 1 lock a, 2 lock b");
  assert_int_equal (v.lock_orders.count, 2);
  assert_string_equal (v.lock_orders.data[0].to, "b");
  verdict_release (&v);
  ir_program_free (p);
}

// A lock that another thread releases is undisciplined: the two may happen in parallel, but no interleaving obeys the
// lock.
static void no_interleaving (void **state) {
  (void) state;
  text t;
  begin_with_two_threads (&t);
  PROC (&t, "one = #7 (r0:64) -> 64", 10, LOCK ("a"), WRITE, UNLOCK ("a"), "return 0:64");
  PROC (&t, "two = #8 (r0:64) -> 64", 20, UNLOCK ("a"), LOCK ("a"), WRITE, "return 0:64");
  ir_program *p = finish_text (&t);
  verdict v;
  analyse_text (p, &v);
  const goal *g = only_possible (&v, IR_P_RACE, 1);
  assert_non_null (g->no_steps);
  verdict_release (&v);
  ir_program_free (p);
}

TEST_MAIN (cmocka_unit_test (paper_example_has_run), cmocka_unit_test (created_in_a_loop), cmocka_unit_test (deadlock),
           cmocka_unit_test (no_interleaving))
