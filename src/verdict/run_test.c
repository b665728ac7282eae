// run_program: fixed and random schedules, what ends a run, and that every claim it makes is confirmed.
#include "verdict/verdict_test.h"

static void lock (world *w, uint32_t t, ir_op op, ir_object o) {
  EMIT (w, t, op, ir_op_table[op].result == 'r' ? reg (w, t, 32, NULL) : NONE, at (w, o, 0));
}

static void run (world *w, uint64_t seed, run_result *r) {
  run_options o = {.semantics = w->semantics, .seed = seed, .max_edges = 10000};
  run_program (&w->v, w->p, &o, r);
}

// Confirms every claim of the result; returns the set of its properties.
static uint32_t confirm_all (world *w, const run_result *r) {
  uint32_t seen = 0;
  for (uint32_t i = 0; i < r->claims.count; i++) {
    goal g = {0};
    const char *why = NULL;
    vec_push (&w->v.goals, g);
    if (!verdict_confirm (&w->v, w->p, &w->semantics, &r->claims.data[i], &vec_last (&w->v.goals), &why))
      fail_msg ("%s", why);
    seen |= 1u << r->claims.data[i].property;
  }
  assert_int_equal (seen, r->violated);
  return seen;
}

static void emit_loop (world *w, uint32_t t, ir_loc from, ir_loc back, ir_expr stay) {
  ir_edge e = ir_add_edge (w->p, IR_ASSUME, from, back);
  ir_add_arg (w->p, e, stay);
  ir_loc out = ir_add_loc (w->p, w->proc[t]);
  e = ir_add_edge (w->p, IR_ASSUME, from, out);
  ir_add_arg (w->p, e, ir_not (w->p, stay));
  w->at[t] = out;
}

// Two threads: lock a, b in opposite order, count without a lock, read an uninitialised value, use what may be freed.
static void make_mess (world *w) {
  world_init (w, 3);
  ir_object a = world_object (w, "a", 40), b = world_object (w, "b", 40), x = world_object (w, "x", 4),
            g = world_object (w, "g", 8);
  ir_reg heap = reg (w, 0, 64, "p");
  ir_edge e = EMIT (w, 0, IR_ALLOC, heap, number (w, 64, 8));
  ir_edge_at (w->p, e)->aux = IR_ALLOC_HEAP;
  e = EMIT (w, 0, IR_STORE, NONE, at (w, g, 0), use (w, 0, heap));
  ir_edge_at (w->p, e)->bytes = 8;
  ir_edge_at (w->p, e)->order = IR_SEQ_CST;
  for (uint32_t t = 1; t < 3; t++) {
    ir_reg p = reg (w, t, 64, "p"), v = reg (w, t, 32, "v"), n = reg (w, t, 8, "n");
    ir_loc head = w->at[t];
    lock (w, t, IR_MUTEX_LOCK, t == 1 ? a : b);
    lock (w, t, IR_MUTEX_LOCK, t == 1 ? b : a);
    lock (w, t, IR_MUTEX_UNLOCK, a);
    lock (w, t, IR_MUTEX_UNLOCK, b);
    EMIT (w, t, IR_LOAD, v, at (w, x, 0));
    EMIT (w, t, IR_STORE, NONE, at (w, x, 0), ir_binary (w->p, IR_X_ADD, use (w, t, v), number (w, 32, 1)));
    e = EMIT (w, t, IR_LOAD, p, at (w, g, 0));
    ir_edge_at (w->p, e)->bytes = 8;
    ir_edge_at (w->p, e)->order = IR_SEQ_CST;
    EMIT (w, t, IR_LOAD, v, use (w, t, p));
    EMIT (w, t, IR_CHECK, NONE, ir_binary (w->p, IR_X_ULT, use (w, t, v), number (w, 32, 1000)));
    EMIT (w, t, IR_ASSIGN, n, ir_binary (w->p, IR_X_ADD, use (w, t, n), number (w, 8, 1)));
    emit_loop (w, t, w->at[t], head, ir_binary (w->p, IR_X_ULT, use (w, t, n), number (w, 8, 3)));
    lock (w, t, IR_MUTEX_UNLOCK, a);
  }
  ir_reg r = reg (w, 0, 64, NULL);
  EMIT (w, 0, IR_THREAD_JOIN, r, number (w, 64, 2));
  EMIT (w, 0, IR_FREE, NONE, use (w, 0, heap));
  EMIT (w, 0, IR_THREAD_JOIN, r, number (w, 64, 3));
  world_finish (w);
}

static void random_claims_are_confirmed (void **state) {
  (void) state;
  world w;
  make_mess (&w);
  uint32_t seen = 0;
  for (uint64_t seed = 0; seed < 300; seed++) {
    run_result r;
    run (&w, seed, &r);
    assert_int_not_equal (r.kind, RUN_LIMIT);
    seen |= confirm_all (&w, &r);
    run_result_release (&r);
  }
  uint32_t expected = 1u << IR_P_RACE | 1u << IR_P_DEADLOCK | 1u << IR_P_MEMORY | 1u << IR_P_LOCKS | 1u << IR_P_ASSERT;
  assert_int_equal (seen, expected);
  world_release (&w);
}

static void same_seed_same_run (void **state) {
  (void) state;
  world w;
  make_mess (&w);
  for (uint64_t seed = 1; seed < 20; seed++) {
    run_result r, s;
    run (&w, seed, &r);
    run (&w, seed, &s);
    assert_int_equal (r.kind, s.kind);
    assert_int_equal (r.claims.count, s.claims.count);
    for (uint32_t i = 0; i < r.claims.count; i++) {
      const schedule *p = &r.claims.data[i].schedule, *q = &s.claims.data[i].schedule;
      assert_int_equal (p->parts.count, q->parts.count);
      if (p->parts.count) assert_memory_equal (p->parts.data, q->parts.data, sizeof (schedule_part) * p->parts.count);
    }
    run_result_release (&r);
    run_result_release (&s);
  }
  world_release (&w);
}

static void seed_zero_runs_thread_zero_first (void **state) {
  (void) state;
  world w;
  world_init (&w, 2);
  ir_object x = world_object (&w, "x", 4);
  EMIT (&w, 1, IR_STORE, NONE, at (&w, x, 0), number (&w, 32, 1));
  ir_reg v = reg (&w, 0, 32, "v");
  EMIT (&w, 0, IR_LOAD, v, at (&w, x, 0));
  EMIT (&w, 0, IR_THREAD_JOIN, reg (&w, 0, 64, NULL), number (&w, 64, 2));
  EMIT (&w, 0, IR_LOAD, v, at (&w, x, 0));
  EMIT (&w, 0, IR_EXIT, NONE, ir_binary (w.p, IR_X_ADD, use (&w, 0, v), number (&w, 32, 41)));
  world_finish (&w);
  run_result r;
  run (&w, 0, &r);
  assert_int_equal (r.kind, RUN_EXITED);
  assert_int_equal (r.exit_code, 42);
  assert_int_equal (r.violated, 1u << IR_P_RACE);  // thread 1 is about to store while 0 loads
  assert_int_equal (confirm_all (&w, &r), 1u << IR_P_RACE);
  run_result_release (&r);
  world_release (&w);
}

static void unselected_properties_make_no_claims (void **state) {
  (void) state;
  world w;
  make_mess (&w);
  w.semantics.properties = 0;
  for (uint64_t seed = 0; seed < 50; seed++) {
    run_result r;
    run (&w, seed, &r);
    assert_int_equal (r.claims.count, 0);
    assert_int_equal (r.violated, 0);
    assert_true (r.kind == RUN_EXITED || r.kind == RUN_DEADLOCK || r.kind == RUN_VIOLATION);
    run_result_release (&r);
  }
  world_release (&w);
}

static void ends_of_runs (void **state) {
  (void) state;
  for (int kind = 0; kind < 4; kind++) {
    world w;
    world_init (&w, 1);
    ir_reg x = reg (&w, 0, 32, "x");
    EMIT0 (&w, 0, IR_NONDET, x);
    if (kind == 0) EMIT (&w, 0, IR_ASSUME, NONE, ir_binary (w.p, IR_X_EQ, use (&w, 0, x), number (&w, 32, 5)));
    if (kind == 1) ir_edge_at (w.p, EMIT0 (&w, 0, IR_UNSUPPORTED, NONE))->message = "setjmp";
    if (kind == 2) emit_loop (&w, 0, w.at[0], w.at[0], ir_binary (w.p, IR_X_EQ, use (&w, 0, x), number (&w, 32, 0)));
    if (kind == 3) EMIT (&w, 0, IR_THREAD_EXIT, NONE, number (&w, 64, 0));
    world_finish (&w);
    run_result r;
    run (&w, 0, &r);
    static const int expected[] = {RUN_INFEASIBLE, RUN_UNSUPPORTED, RUN_LIMIT, RUN_EXITED};
    assert_int_equal (r.kind, expected[kind]);
    if (kind == 1) assert_string_equal (r.message, "t0.c:2: unsupported: setjmp");
    if (kind == 2) assert_string_equal (r.message, "limit of 10000 edges");
    run_result_release (&r);
    world_release (&w);
  }
}

static void spinning_thread_does_not_hang_seed_zero (void **state) {
  (void) state;
  world w;
  world_init (&w, 2);
  ir_object x = world_object (&w, "x", 4);
  ir_edge_at (w.p, EMIT (&w, 1, IR_STORE, NONE, at (&w, x, 0), number (&w, 32, 1)))->order = IR_SEQ_CST;
  ir_reg v = reg (&w, 0, 32, "v");
  ir_loc head = w.at[0];
  ir_edge_at (w.p, EMIT (&w, 0, IR_LOAD, v, at (&w, x, 0)))->order = IR_SEQ_CST;
  emit_loop (&w, 0, w.at[0], head, ir_binary (w.p, IR_X_EQ, use (&w, 0, v), number (&w, 32, 0)));
  world_finish (&w);
  run_options o = {.semantics = w.semantics, .max_edges = 5000000};
  run_result r;
  run_program (&w.v, w.p, &o, &r);
  assert_int_equal (r.kind, RUN_EXITED);
  assert_int_equal (r.claims.count, 0);
  run_result_release (&r);
  world_release (&w);
}

// Thread 1 stores what the guide chooses, then thread 0 finds it.
typedef struct guided {
  uint32_t next, made;
} guided;

static uint32_t pick (void *state, const struct runner *r) {
  guided *g = state;
  if (run_edge (r, 1).i == IR_NONE && !g->next) return 0;
  return g->next++ < 2 ? 1 : 0;
}

static ir_value choose (void *state, ir_edge e) {
  (void) state, (void) e;
  return 5;
}

static void made (void *state, uint32_t slot) { ((guided *) state)->made = slot; }

static void guides_lead_to_violations (void **state) {
  (void) state;
  world w;
  world_init (&w, 2);
  ir_object x = world_object (&w, "x", 4);
  ir_reg v = reg (&w, 1, 32, "v"), seen = reg (&w, 0, 32, "seen");
  EMIT (&w, 1, IR_NONDET, v);
  ir_edge_at (w.p, EMIT (&w, 1, IR_STORE, NONE, at (&w, x, 0), use (&w, 1, v)))->order = IR_SEQ_CST;
  ir_edge_at (w.p, EMIT (&w, 0, IR_LOAD, seen, at (&w, x, 0)))->order = IR_SEQ_CST;
  EMIT (&w, 0, IR_CHECK, NONE, ir_not (w.p, ir_binary (w.p, IR_X_EQ, use (&w, 0, seen), number (&w, 32, 5))));
  world_finish (&w);
  guided g = {0};
  run_guide guide = {.state = &g, .pick = pick, .choose = choose, .made = made};
  run_options o = {.semantics = w.semantics, .guide = &guide};
  run_result r;
  run_program (&w.v, w.p, &o, &r);
  assert_int_equal (r.kind, RUN_VIOLATION);
  assert_int_equal (confirm_all (&w, &r), 1u << IR_P_ASSERT);
  assert_int_equal (g.made, 1);
  run_result_release (&r);
  world_release (&w);
}

TEST_MAIN (cmocka_unit_test (guides_lead_to_violations), cmocka_unit_test (random_claims_are_confirmed),
           cmocka_unit_test (same_seed_same_run), cmocka_unit_test (seed_zero_runs_thread_zero_first),
           cmocka_unit_test (unselected_properties_make_no_claims), cmocka_unit_test (ends_of_runs),
           cmocka_unit_test (spinning_thread_does_not_hang_seed_zero))
