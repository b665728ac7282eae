// verdict_confirm accepts true claims, with messages for users, and rejects false ones, saying where the replay
// diverges.
#include "verdict/verdict_test.h"

static void lock (world *w, uint32_t t, ir_op op, ir_object o) {
  EMIT (w, t, op, ir_op_table[op].result == 'r' ? reg (w, t, 32, NULL) : NONE, at (w, o, 0));
}

static goal *new_goal (world *w) {
  goal g = {0};
  vec_push (&w->v.goals, g);
  return &vec_last (&w->v.goals);
}

// Confirms and releases the claim.
static bool confirm (world *w, claim *c, goal *g, const char **why) {
  bool result = verdict_confirm (&w->v, w->p, &w->semantics, c, g, why);
  schedule_release (&c->schedule);
  return result;
}

static const char *word_of_step (const goal *g, uint32_t k) { return ir_step_of (g->steps.data[k].op)->word; }
static const char *last_op (const goal *g, uint32_t back) { return word_of_step (g, g->steps.count - 1 - back); }

// counter: thread 1 and 2 each load and store it; thread 1's store is edge s1, thread 2's load l2.
typedef struct counter {
  world w;
  ir_object x, m;
  ir_edge l1, s1, l2;
} counter;

static void make_counter (counter *c) {
  world *w = &c->w;
  world_init (w, 3);
  c->x = world_object (w, "counter", 4);
  c->m = world_object (w, "m", 40);
  ir_reg r = reg (w, 1, 32, NULL), s = reg (w, 2, 32, NULL);
  lock (w, 1, IR_MUTEX_LOCK, c->m);
  c->l1 = EMIT (w, 1, IR_LOAD, r, at (w, c->x, 0));
  c->s1 = EMIT (w, 1, IR_STORE, NONE, at (w, c->x, 0), number (w, 32, 41));
  lock (w, 1, IR_MUTEX_UNLOCK, c->m);
  c->l2 = EMIT (w, 2, IR_LOAD, s, at (w, c->x, 0));
  world_finish (w);
  // ir_finish sorts edges, so find them again by their places
  for (uint32_t i = 0; i < w->p->edges.count; i++) {
    const ir_edge_data *d = &w->p->edges.data[i];
    if (d->op == IR_STORE) c->s1.i = i;
    if (d->op == IR_LOAD && !strcmp (d->pos.file, "t1.c")) c->l1.i = i;
    if (d->op == IR_LOAD && !strcmp (d->pos.file, "t2.c")) c->l2.i = i;
  }
}

static void race_is_confirmed (void **state) {
  (void) state;
  counter c;
  make_counter (&c);
  claim claim = {.property = IR_P_RACE, .num_threads = 2, .thread = {1, 2}, .edge = {c.s1, c.l2}};
  schedule_add (&claim.schedule, 0, 2);
  schedule_add (&claim.schedule, 1, 2);
  goal *g = new_goal (&c.w);
  const char *why = "";
  assert_true (confirm (&c.w, &claim, g, &why));
  assert_null (why);
  assert_string_equal (g->message, "data race on `counter`: write by thread 1 at t1.c:3, read by thread 2 at t2.c:1");
  assert_int_equal (g->locations.count, 2);
  assert_string_equal (g->locations.data[0].what, "write of `counter`");
  assert_string_equal (g->locations.data[1].what, "read of `counter`");
  assert_int_equal (g->locations.data[1].thread, 2);
  static const char *const ops[] = {"create", "create", "start", "lock", "load", "start", "store", "load"};
  assert_int_equal (g->steps.count, 8);
  for (unsigned i = 0; i < 8; i++) {
    assert_string_equal (word_of_step (g, i), ops[i]);
    assert_int_equal (g->steps.data[i].number, i + 1);
  }
  assert_true (g->steps.data[2].switched && !g->steps.data[3].switched);
  assert_string_equal (g->steps.data[4].value, "0");
  assert_string_equal (g->steps.data[6].value, "41");
  assert_string_equal (g->steps.data[6].object, "counter");
  assert_int_equal (g->steps.data[6].held.count, 1);
  assert_string_equal (g->steps.data[6].held.data[0], "m");
  assert_null (g->steps.data[6].text);  // there is no file t1.c
  world_release (&c.w);
}

static void wrong_races_are_refused (void **state) {
  (void) state;
  counter c;
  make_counter (&c);
  const char *why;
  struct {
    uint32_t thread, edges;
    ir_edge e, f;
    const char *why;
  } cases[] = {
      {1, 3, c.s1, c.l2,
       "after 5 steps: thread 1 does not stand before the claimed operation but before mutex_unlock at t1.c:4"},
      {1, 1, c.l1, c.l2, "after 3 steps: the two operations do not race"},
      {3, 1, c.s1, c.l2, "step 3: thread 3 cannot step: it is not running"},
      {200, 1, c.s1, c.l2, "step 3: thread 200 cannot step: it is not running"},
      {2, 2, c.s1, c.l2,
       "after 4 steps: thread 1 does not stand before the claimed operation but before mutex_lock at t1.c:1"},
      {0, 1, c.s1, c.l2, "step 3: thread 0 cannot take exit at t0.c:1: the process ends there"}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    claim claim = {.property = IR_P_RACE, .num_threads = 2, .thread = {1, 2}, .edge = {cases[i].e, cases[i].f}};
    schedule_add (&claim.schedule, 0, 2);
    schedule_add (&claim.schedule, cases[i].thread, cases[i].edges);
    goal *g = new_goal (&c.w);
    assert_false (confirm (&c.w, &claim, g, &why));
    assert_string_equal (why, cases[i].why);
    assert_int_equal (g->steps.count, 0);
  }
  claim bad = {.property = IR_P_RACE, .num_threads = 1, .thread = {1}, .edge = {c.s1}};
  assert_false (confirm (&c.w, &bad, new_goal (&c.w), &why));
  assert_string_equal (why, "after 0 steps: a claim of race does not have 1 threads");
  bad.property = 99;
  assert_false (confirm (&c.w, &bad, new_goal (&c.w), &why));
  world_release (&c.w);
}

static ir_edge edge_of (world *w, const char *file, uint32_t line) {
  for (uint32_t i = 0; i < w->p->edges.count; i++)
    if (w->p->edges.data[i].pos.line == line && !strcmp (w->p->edges.data[i].pos.file, file)) return (ir_edge){i};
  fail_msg ("no edge at %s:%u", file, line);
  return (ir_edge){0};
}

static void deadlock_is_confirmed (void **state) {
  (void) state;
  world w;
  world_init (&w, 3);
  ir_object a = world_object (&w, "a", 40), b = world_object (&w, "b", 40);
  for (uint32_t t = 1; t < 3; t++) {
    lock (&w, t, IR_MUTEX_LOCK, t == 1 ? a : b);
    lock (&w, t, IR_MUTEX_LOCK, t == 1 ? b : a);
  }
  world_finish (&w);
  claim claim = {.property = IR_P_DEADLOCK,
                 .num_threads = 2,
                 .thread = {1, 2},
                 .edge = {edge_of (&w, "t1.c", 2), edge_of (&w, "t2.c", 2)}};
  const char *why;
  for (uint32_t n = 0; n < 2; n++) {  // with and without the step of thread 2
    schedule_add (&claim.schedule, 0, 2);
    schedule_add (&claim.schedule, 1, 1);
    schedule_add (&claim.schedule, 2, n);
    if (!n) claim.edge[1] = edge_of (&w, "t2.c", 1);
    else claim.edge[1] = edge_of (&w, "t2.c", 2);
    goal *g = new_goal (&w);
    bool there = verdict_confirm (&w.v, w.p, &w.semantics, &claim, g, &why);
    schedule_release (&claim.schedule);
    assert_int_equal (there, n);
    if (!n) assert_string_equal (why, "after 3 steps: thread 1 is not stuck before mutex_lock");
    else {
      assert_string_equal (
          g->message, "deadlock: thread 1 waits for `b` held by thread 2; thread 2 waits for `a` held by thread 1");
      assert_string_equal (g->locations.data[0].what, "waits for `b` held by thread 2");
      assert_string_equal (last_op (g, 0), "lock");
    }
  }
  schedule_add (&claim.schedule, 0, 2);
  schedule_add (&claim.schedule, 1, 1);
  schedule_add (&claim.schedule, 2, 2);
  assert_false (confirm (&w, &claim, new_goal (&w), &why));
  assert_string_equal (why, "step 5: thread 2 cannot take mutex_lock at t2.c:2: it is blocked");
  world_release (&w);
}

// One thread, `edges` edges, then line `line` of t0.c fails.
static const char *message_of (world *w, ir_property property, uint32_t edges, uint32_t line, const char **why) {
  claim c = {.property = property, .num_threads = 1, .thread = {0}, .edge = {edge_of (w, "t0.c", line)}};
  schedule_add (&c.schedule, 0, edges);
  for (uint32_t i = 0; i < w->num_choices; i++) vec_push (&c.schedule.choices, w->choices[i]);
  goal *g = new_goal (w);
  return confirm (w, &c, g, why) ? g->message : NULL;
}

static void failing_check_and_choices (void **state) {
  (void) state;
  world w;
  world_init (&w, 1);
  ir_reg x = reg (&w, 0, 32, "x");
  EMIT0 (&w, 0, IR_NONDET, x);
  ir_edge e = EMIT (&w, 0, IR_CHECK, NONE, ir_binary (w.p, IR_X_EQ, use (&w, 0, x), number (&w, 32, 1)));
  ir_edge_at (w.p, e)->message = "assertion `x == 1` failed";
  world_finish (&w);
  const char *why;
  assert_null (message_of (&w, IR_P_ASSERT, 1, 2, &why));
  assert_string_equal (why, "step 1: thread 0 cannot take nondet at t0.c:1: the schedule has no choice for it");
  w.num_choices = 1;
  w.choices[0] = 1;
  assert_null (message_of (&w, IR_P_ASSERT, 1, 2, &why));
  assert_string_equal (why, "after 1 steps: the claimed operation does not fail");
  w.choices[0] = 2;
  assert_string_equal (message_of (&w, IR_P_ASSERT, 1, 2, &why), "assertion `x == 1` failed");
  assert_null (message_of (&w, IR_P_MEMORY, 1, 2, &why));
  assert_null (message_of (&w, IR_P_ASSERT, 2, 2, &why));
  assert_string_equal (why, "step 2: thread 0 cannot take check at t0.c:2: it is itself a violation of assert");
  const trace_step *s = w.v.goals.data[2].steps.data;
  assert_int_equal (s[0].op, IR_STEP_CHOOSE);
  assert_string_equal (s[0].value, "2");
  assert_int_equal (s[1].op, IR_STEP_CHECK);
  world_release (&w);
}

// A number whose type says what its values are called; and a step that the front end has made.
static void words_for_choices (void **state) {
  (void) state;
  world w;
  world_init (&w, 1);
  ir_type type = ir_add_type (w.p, IR_T_UINT, "choice", 1);
  vec_push (&ir_type_at (w.p, type)->members, ((ir_member){"&a", 0, {IR_NONE}}));
  vec_push (&ir_type_at (w.p, type)->members, ((ir_member){"&b", 1, {IR_NONE}}));
  ir_object a = world_object (&w, "a", 1);
  ir_reg x = reg (&w, 0, 2, "x");
  ir_proc_at (w.p, w.proc[0])->regs.data[x.i].type = type;
  EMIT0 (&w, 0, IR_NONDET, x);
  ir_edge e = EMIT (&w, 0, IR_STORE, NONE, at (&w, a, 0), number (&w, 8, 7));
  ir_edge_at (w.p, e)->bytes = 1;
  ir_edge_at (w.p, e)->aux = IR_UNSEEN;
  EMIT (&w, 0, IR_CHECK, NONE, number (&w, 1, 0));
  world_finish (&w);
  static const char *const words[] = {"&a", "&b", "2"};
  const char *why;
  w.num_choices = 1;
  for (unsigned i = 0; i < 3; i++) {
    w.choices[0] = i;
    message_of (&w, IR_P_ASSERT, 2, 3, &why);
    const trace_step *s = w.v.goals.data[i].steps.data;
    assert_string_equal (s[0].value, words[i]);
    assert_int_equal (s[1].op, IR_STEP_CHECK);
  }
  world_release (&w);
}

static void words_of_memory_errors (void **state) {
  (void) state;
  world w;
  world_init (&w, 1);
  ir_reg p = reg (&w, 0, 64, "p"), i = reg (&w, 0, 32, "i"), x = reg (&w, 0, 32, NULL);
  ir_type integer = ir_add_type (w.p, IR_T_INT, "int", 4), array = ir_add_type (w.p, IR_T_ARRAY, "int[10]", 40);
  ir_type_at (w.p, array)->target = integer;
  ir_type_at (w.p, array)->count = 10;
  ir_object buf = world_object (&w, "buf", 40);
  ir_object_at (w.p, buf)->type = array;
  ir_edge e = EMIT (&w, 0, IR_ALLOC, p, number (&w, 64, 8));
  ir_edge_at (w.p, e)->aux = IR_ALLOC_HEAP;
  EMIT (&w, 0, IR_ASSIGN, i, number (&w, 32, 10));
  EMIT (&w, 0, IR_FREE, NONE, use (&w, 0, p));
  e = EMIT (&w, 0, IR_LOAD, x, use (&w, 0, p));
  ir_edge_at (w.p, e)->name = "p->next";
  world_finish (&w);
  const char *why;
  assert_string_equal (message_of (&w, IR_P_MEMORY, 3, 4, &why),
                       "use after free: `p->next` (allocated at t0.c:1, freed at t0.c:3)");
  assert_int_equal (vec_last (&w.v.goals).locations.count, 3);
  world_release (&w);

  world_init (&w, 1);
  i = reg (&w, 0, 32, "i");
  x = reg (&w, 0, 32, NULL);
  buf = world_object (&w, "buf", 40);
  EMIT (&w, 0, IR_ASSIGN, i, number (&w, 32, 10));
  e = EMIT (&w, 0, IR_LOAD, x,
            ir_binary (w.p, IR_X_ADD, at (&w, buf, 0),
                       ir_binary (w.p, IR_X_MUL, ir_unary (w.p, IR_X_SEXT, 64, use (&w, 0, i)), number (&w, 64, 4))));
  ir_edge_at (w.p, e)->name = "buf[{}]";
  ir_add_name_arg (w.p, e, use (&w, 0, i));
  world_finish (&w);
  assert_string_equal (message_of (&w, IR_P_MEMORY, 1, 2, &why), "out of bounds: `buf[10]` (offset 40 of 40 bytes)");
  world_release (&w);

  world_init (&w, 1);
  e = EMIT (&w, 0, IR_STORE, NONE, number (&w, 64, 8), number (&w, 32, 0));
  ir_edge_at (w.p, e)->name = "q->head";
  world_finish (&w);
  assert_string_equal (message_of (&w, IR_P_MEMORY, 0, 1, &why), "null pointer dereference: `q->head`");
  world_release (&w);
}

static void words_of_misuse (void **state) {
  (void) state;
  world w;
  world_init (&w, 1);
  ir_object m = world_object (&w, "m", 40);
  lock (&w, 0, IR_MUTEX_UNLOCK, m);
  lock (&w, 0, IR_MUTEX_LOCK, m);
  lock (&w, 0, IR_MUTEX_LOCK, m);
  world_finish (&w);
  const char *why;
  assert_string_equal (message_of (&w, IR_P_LOCKS, 0, 1, &why), "unlock of `m`, which is not held");
  assert_string_equal (message_of (&w, IR_P_LOCKS, 2, 3, &why), "relock of `m`, which this thread already holds");
  assert_string_equal (message_of (&w, IR_P_DEADLOCK, 2, 3, &why),
                       "deadlock: thread 0 waits for `m`, which it already holds");
  assert_null (message_of (&w, IR_P_LOCKS, 1, 2, &why));
  assert_string_equal (why, "after 1 steps: nothing is wrong with that operation");
  world_release (&w);
}

// The claim names all blocked threads.  Only the cycle among them is reported, whichever thread is claimed first.
static void bystanders_are_left_out (void **state) {
  (void) state;
  world w;
  world_init (&w, 4);
  ir_object a = world_object (&w, "a", 40), b = world_object (&w, "b", 40);
  for (uint32_t t = 1; t < 4; t++) {
    lock (&w, t, IR_MUTEX_LOCK, t == 2 ? b : a);
    if (t < 3) lock (&w, t, IR_MUTEX_LOCK, t == 2 ? a : b);
  }
  world_finish (&w);
  claim claim = {.property = IR_P_DEADLOCK,
                 .num_threads = 3,
                 .thread = {3, 2, 1},
                 .edge = {edge_of (&w, "t3.c", 1), edge_of (&w, "t2.c", 2), edge_of (&w, "t1.c", 2)}};
  schedule_add (&claim.schedule, 0, 3);
  schedule_add (&claim.schedule, 1, 1);
  schedule_add (&claim.schedule, 2, 1);
  const char *why = NULL;
  goal *g = new_goal (&w);
  assert_true (verdict_confirm (&w.v, w.p, &w.semantics, &claim, g, &why));
  schedule_release (&claim.schedule);
  assert_string_equal (g->message,
                       "deadlock: thread 1 waits for `b` held by thread 2; thread 2 waits for `a` held by thread 1; "
                       "besides, thread 3 waits for `a` held by thread 1");
  assert_int_equal (g->locations.count, 2);
  assert_int_equal (claim.num_threads, 2);
  assert_int_equal (claim.thread[0], 1);
  assert_int_equal (claim.edge[1].i, edge_of (&w, "t2.c", 2).i);
  world_release (&w);
}

// A library model, called by the user: its accesses are shown at the call, each object once.
static void library_models_are_shown_as_calls (void **state) {
  (void) state;
  world w;
  world_init (&w, 1);
  ir_object x = world_object (&w, "x", 8);
  ir_proc f = ir_add_proc (w.p, "fill");
  ir_proc_at (w.p, f)->internal = true;
  ir_loc at_loc = ir_add_loc (w.p, f);
  ir_proc_at (w.p, f)->entry = at_loc;
  for (uint32_t i = 0; i < 3; i++) {
    ir_loc next = ir_add_loc (w.p, f);
    ir_edge e = ir_add_edge (w.p, IR_STORE, at_loc, next);
    ir_edge_at (w.p, e)->bytes = 4;
    ir_edge_at (w.p, e)->pos = (ir_position){"model.c", i + 1, 1};
    ir_add_arg (w.p, e, at (&w, x, 4 * i));
    ir_add_arg (w.p, e, number (&w, 32, i));
    at_loc = next;
  }
  ir_add_edge (w.p, IR_RETURN, at_loc, (ir_loc){IR_NONE});
  EMIT (&w, 0, IR_CALL, NONE, at (&w, ir_proc_at (w.p, f)->object, 0));
  world_finish (&w);
  claim c = {.property = IR_P_MEMORY, .num_threads = 1, .thread = {0}, .edge = {edge_of (&w, "model.c", 3)}};
  schedule_add (&c.schedule, 0, 3);
  goal *g = new_goal (&w);
  const char *why;
  assert_true (confirm (&w, &c, g, &why));
  assert_string_equal (g->message, "out of bounds: `x + 8` (offset 8 of 8 bytes) in `fill`");
  assert_int_equal (g->steps.count, 2);
  for (unsigned i = 0; i < 2; i++) {
    assert_string_equal (g->steps.data[i].pos.file, "t0.c");
    assert_string_equal (g->steps.data[i].function, "main");
    assert_int_equal (g->steps.data[i].op, IR_STEP_STORE);
  }
  world_release (&w);
}

static void bounds_and_assumptions_once (void **state) {
  (void) state;
  verdict v;
  verdict_init (&v);
  for (int i = 0; i < 3; i++) {
    verdict_add_bound (&v, "unwind %d", i / 2);
    verdict_add_assumption (&v, "`%s` has no body", "f");
  }
  verdict_add_stat (&v, "states", 7, NULL);
  assert_int_equal (v.bounds.count, 2);
  assert_int_equal (v.assumptions.count, 1);
  assert_string_equal (v.assumptions.data[0], "`f` has no body");
  assert_int_equal (v.stats.data[0].value, 7);
  schedule s = {0};
  schedule_add (&s, 1, 2);
  schedule_add (&s, 1, 3);
  schedule_add (&s, 0, 0);
  schedule_add (&s, 0, UINT32_MAX);
  schedule_add (&s, 0, 2);
  assert_int_equal (s.parts.count, 3);
  assert_int_equal (s.parts.data[0].edges, 5);
  assert_int_equal (s.parts.data[2].edges, 2);
  schedule_release (&s);
  verdict_release (&v);
}

TEST_MAIN (cmocka_unit_test (race_is_confirmed), cmocka_unit_test (wrong_races_are_refused),
           cmocka_unit_test (deadlock_is_confirmed), cmocka_unit_test (bystanders_are_left_out),
           cmocka_unit_test (failing_check_and_choices), cmocka_unit_test (words_for_choices),
           cmocka_unit_test (words_of_memory_errors), cmocka_unit_test (words_of_misuse),
           cmocka_unit_test (library_models_are_shown_as_calls), cmocka_unit_test (bounds_and_assumptions_once))
