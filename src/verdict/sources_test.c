// What a violation rests on: dependence through registers, memory, branches, addresses, locks and threads, and the
// absence of it where the same execution exists for every value.
#include "verdict/verdict_test.h"

typedef struct scene {
  world w;
  ir_object x, y, m;
  ir_reg n;  // of thread 1: an invented number of 32 bits
} scene;

static ir_edge invent (world *w, uint32_t t, ir_reg r, ir_origin origin) {
  ir_edge e = EMIT0 (w, t, IR_NONDET, r);
  ir_edge_at (w->p, e)->origin = (uint8_t) origin;
  ir_edge_at (w->p, e)->aux = IR_NONDET_NUMBER;
  ir_edge_at (w->p, e)->message = "result of `strange`";
  return e;
}

// Threads 0, 1 and 2; thread 1 begins with the number.
static void begin (scene *s, ir_origin origin) {
  world_init (&s->w, 3);
  s->x = world_object (&s->w, "x", 4);
  s->y = world_object (&s->w, "y", 4);
  s->m = world_object (&s->w, "m", 40);
  s->n = reg (&s->w, 1, 32, NULL);
  invent (&s->w, 1, s->n, origin);
}

// Returns the number of conditions of a violation that thread 1 shows after `edges` edges of its own, preceded by
// `other` edges of thread 2.
static uint32_t conditions_of (scene *s, ir_property p, uint32_t other, uint32_t edges, ir_value value,
                               const char *text) {
  world *w = &s->w;
  uint32_t taken[3] = {0, edges, other};
  claim c = {.property = p, .num_threads = p == IR_P_RACE ? 2 : 1, .thread = {1, 2}};
  schedule_add (&c.schedule, 0, 2);
  for (uint32_t k = 0; k < 2; k++) {
    w->choices[k] = value;
    vec_push (&c.schedule.choices, value);
  }
  w->num_choices = 2;
  world_start (w);
  for (uint32_t t = 2; t > 0; t--) {
    go (w, t, taken[t]);
    schedule_add (&c.schedule, t, taken[t]);
  }
  for (uint32_t k = 0; k < c.num_threads; k++) c.edge[k] = action_of (&w->m, c.thread[k]).e;
  goal g = {0};
  const char *why = "";
  if (!verdict_confirm (&w->v, w->p, &w->semantics, &c, &g, &why)) fail_msg ("%s", why);
  uint32_t count = g.conditions.count;
  if (text) assert_string_equal (g.conditions.data[0].text, text);
  vec_push (&w->v.goals, g);
  schedule_release (&c.schedule);
  world_release (w);
  return count;
}

static ir_expr value (scene *s) { return use (&s->w, 1, s->n); }
static ir_expr equals (scene *s, ir_expr a, ir_value b) {
  return ir_binary (s->w.p, IR_X_EQ, a, number (&s->w, 32, b));
}

static void check_of_value_is_conditional (void **state) {
  (void) state;
  scene s;
  begin (&s, IR_INVENTED);
  EMIT (&s.w, 1, IR_CHECK, NONE, equals (&s, value (&s), 7));
  assert_int_equal (conditions_of (&s, IR_P_ASSERT, 0, 1, 5, "`strange` returns 5"), 1);
}

static void check_of_input_is_not (void **state) {
  (void) state;
  scene s;
  begin (&s, IR_INPUT);
  EMIT (&s.w, 1, IR_CHECK, NONE, equals (&s, value (&s), 7));
  assert_int_equal (conditions_of (&s, IR_P_ASSERT, 0, 1, 5, NULL), 0);
}

static void failure_counts_only_if_it_fails (void **state) {
  (void) state;
  scene s;
  begin (&s, IR_FAILURE);
  EMIT (&s.w, 1, IR_CHECK, NONE, equals (&s, value (&s), 7));
  assert_int_equal (conditions_of (&s, IR_P_ASSERT, 0, 1, 0, NULL), 0);
  begin (&s, IR_FAILURE);
  EMIT (&s.w, 1, IR_CHECK, NONE, equals (&s, value (&s), 7));
  assert_int_equal (conditions_of (&s, IR_P_ASSERT, 0, 1, 1, "`strange` returns 1"), 1);
}

// x = n; check (x == 7)
static void memory_carries_it (void **state) {
  (void) state;
  scene s;
  begin (&s, IR_INVENTED);
  ir_reg r = reg (&s.w, 1, 32, NULL);
  EMIT (&s.w, 1, IR_STORE, NONE, at (&s.w, s.x, 0), value (&s));
  EMIT (&s.w, 1, IR_LOAD, r, at (&s.w, s.x, 0));
  EMIT (&s.w, 1, IR_CHECK, NONE, equals (&s, use (&s.w, 1, r), 7));
  assert_int_equal (conditions_of (&s, IR_P_ASSERT, 0, 3, 5, NULL), 1);
}

// x = n; x = 1; check (x == 7): the value that x had before does not matter.
static void overwriting_ends_it (void **state) {
  (void) state;
  scene s;
  begin (&s, IR_INVENTED);
  ir_reg r = reg (&s.w, 1, 32, NULL);
  EMIT (&s.w, 1, IR_STORE, NONE, at (&s.w, s.x, 0), value (&s));
  EMIT (&s.w, 1, IR_STORE, NONE, at (&s.w, s.x, 0), number (&s.w, 32, 1));
  EMIT (&s.w, 1, IR_LOAD, r, at (&s.w, s.x, 0));
  EMIT (&s.w, 1, IR_CHECK, NONE, equals (&s, use (&s.w, 1, r), 7));
  assert_int_equal (conditions_of (&s, IR_P_ASSERT, 0, 4, 5, NULL), 0);
}

// assume (n == 5); check (0)
static void branch_controls_what_follows (void **state) {
  (void) state;
  scene s;
  begin (&s, IR_INVENTED);
  EMIT (&s.w, 1, IR_ASSUME, NONE, equals (&s, value (&s), 5));
  EMIT (&s.w, 1, IR_CHECK, NONE, number (&s.w, 1, 0));
  assert_int_equal (conditions_of (&s, IR_P_ASSERT, 0, 2, 5, NULL), 1);
}

// Thread 1 stores to x + n, which races with thread 2 at a fixed address.
static void address_counts (void **state) {
  (void) state;
  scene s;
  begin (&s, IR_INVENTED);
  ir_expr offset = ir_unary (s.w.p, IR_X_ZEXT, 64, value (&s));
  EMIT (&s.w, 1, IR_STORE, NONE, ir_binary (s.w.p, IR_X_ADD, at (&s.w, s.x, 0), offset), number (&s.w, 32, 1));
  EMIT (&s.w, 2, IR_STORE, NONE, at (&s.w, s.x, 0), number (&s.w, 32, 2));
  assert_int_equal (conditions_of (&s, IR_P_RACE, 0, 1, 0, NULL), 1);
}

static void race_at_fixed_place_does_not_rest_on_it (void **state) {
  (void) state;
  scene s;
  begin (&s, IR_INVENTED);
  EMIT (&s.w, 1, IR_STORE, NONE, at (&s.w, s.x, 0), value (&s));
  EMIT (&s.w, 2, IR_STORE, NONE, at (&s.w, s.x, 0), number (&s.w, 32, 2));
  assert_int_equal (conditions_of (&s, IR_P_RACE, 0, 1, 0, NULL), 0);
}

// What another thread does after such a branch matters to threads that read what it writes, and to no others.
static void other_thread_depends_by_what_it_reads (void **state) {
  (void) state;
  for (unsigned reads = 0; reads < 2; reads++) {
    scene s;
    begin (&s, IR_INPUT);
    ir_reg k = reg (&s.w, 2, 32, NULL), r = reg (&s.w, 1, 32, NULL);
    invent (&s.w, 2, k, IR_INVENTED);
    EMIT (&s.w, 2, IR_ASSUME, NONE, ir_binary (s.w.p, IR_X_EQ, use (&s.w, 2, k), number (&s.w, 32, 5)));
    EMIT (&s.w, 2, IR_STORE, NONE, at (&s.w, s.x, 0), number (&s.w, 32, 1));
    EMIT (&s.w, 1, IR_LOAD, r, at (&s.w, reads ? s.x : s.y, 0));
    EMIT (&s.w, 1, IR_CHECK, NONE, equals (&s, use (&s.w, 1, r), 7));
    assert_int_equal (conditions_of (&s, IR_P_ASSERT, 3, 2, 5, NULL), reads);
  }
}

TEST_MAIN (cmocka_unit_test (check_of_value_is_conditional), cmocka_unit_test (check_of_input_is_not),
           cmocka_unit_test (failure_counts_only_if_it_fails), cmocka_unit_test (memory_carries_it),
           cmocka_unit_test (overwriting_ends_it), cmocka_unit_test (branch_controls_what_follows),
           cmocka_unit_test (address_counts), cmocka_unit_test (race_at_fixed_place_does_not_rest_on_it),
           cmocka_unit_test (other_thread_depends_by_what_it_reads))
