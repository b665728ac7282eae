// Declarations of exclusive access: what breaks them, what ends them, and that a violation changes nothing.
#include "verdict/verdict_test.h"

enum { CELL_BYTES = 4 };

static ir_edge emit_own (world *w, uint32_t t, ir_expr address, uint32_t size, ir_expr cell, uint64_t value) {
  ir_edge e = EMIT (w, t, IR_OWN, NONE, address, number (w, 64, size), cell, number (w, 64, value));
  ir_edge_at (w->p, e)->bytes = CELL_BYTES;
  return e;
}

static void expect_fault (world *w, uint32_t slot, ir_fault kind, uint32_t owner) {
  assert_int_equal (machine_step (&w->m, slot), STEP_VIOLATION);
  assert_int_equal (w->m.fault.property, IR_P_ASSERT);
  assert_int_equal (w->m.fault.kind, kind);
  assert_int_equal (w->m.owner, owner);
}

static const char *message (world *w, uint32_t slot) {
  claim c = {.property = IR_P_ASSERT, .num_threads = 1, .thread = {slot}, .edge = {action_of (&w->m, slot).e}};
  return describe_violation (&w->m, &c, NULL);
}

static void use_of_what_another_owns (void **state) {
  (void) state;
  world w;
  world_init (&w, 3);
  ir_object x = world_object (&w, "x", 8), spin = world_object (&w, "spin", 4);
  ir_reg r = reg (&w, 2, 32, NULL);
  emit_own (&w, 1, at (&w, x, 0), 4, at (&w, spin, 0), 1);
  EMIT (&w, 1, IR_STORE, NONE, at (&w, spin, 0), number (&w, 32, 1));
  EMIT (&w, 1, IR_STORE, NONE, at (&w, x, 2), number (&w, 32, 9));
  EMIT (&w, 1, IR_STORE, NONE, at (&w, spin, 0), number (&w, 32, 0));
  EMIT (&w, 2, IR_STORE, NONE, at (&w, x, 4), number (&w, 32, 5));
  EMIT (&w, 2, IR_LOAD, r, at (&w, x, 3));
  EMIT (&w, 2, IR_LOAD, r, at (&w, x, 6));
  world_start (&w);
  go (&w, 1, 2);
  go (&w, 2, 1);  // bytes beside the owned ones
  expect_fault (&w, 2, IR_FAULT_INTRUSION, 1);
  assert_string_equal (message (&w, 2), "use of `x`, which thread 1 owns (declared at t1.c:1)");
  go (&w, 1, 1);  // the owner itself
  expect_fault (&w, 2, IR_FAULT_INTRUSION, 1);
  go (&w, 1, 1);
  go (&w, 2, 1);
  assert_int_equal (machine_step (&w.m, 2), STEP_VIOLATION);  // the access is out of bounds, and that fault comes first
  assert_int_equal (w.m.fault.kind, IR_FAULT_BOUNDS);
  world_release (&w);
}

static void locks_are_used_too (void **state) {
  (void) state;
  world w;
  world_init (&w, 3);
  ir_object x = world_object (&w, "x", 40), spin = world_object (&w, "spin", 4);
  emit_own (&w, 1, at (&w, x, 0), 40, at (&w, spin, 0), 0);
  EMIT (&w, 1, IR_STORE, NONE, at (&w, spin, 0), number (&w, 32, 1));
  EMIT (&w, 2, IR_MUTEX_LOCK, reg (&w, 2, 32, NULL), at (&w, x, 0));
  EMIT (&w, 2, IR_FORGET, NONE, at (&w, x, 8));
  world_start (&w);
  go (&w, 1, 1);
  expect_fault (&w, 2, IR_FAULT_INTRUSION, 1);
  assert_int_equal (word_of (&w, x, IR_MUTEX_OWNER), 0);
  go (&w, 1, 1);
  go (&w, 2, 2);
  world_release (&w);
}

static void two_owners (void **state) {
  (void) state;
  world w;
  world_init (&w, 3);
  ir_object x = world_object (&w, "x", 8), a = world_object (&w, "a", 4), b = world_object (&w, "b", 4);
  ir_reg old = reg (&w, 2, 32, NULL);
  emit_own (&w, 1, at (&w, x, 0), 8, at (&w, a, 0), 1);
  EMIT (&w, 1, IR_STORE, NONE, at (&w, a, 0), number (&w, 32, 1));
  emit_own (&w, 2, at (&w, x, 4), 4, at (&w, b, 0), 2);
  ir_edge e = EMIT (&w, 2, IR_RMW, old, at (&w, b, 0), number (&w, 32, 2));
  ir_edge_at (w.p, e)->aux = IR_RMW_ADD;
  emit_own (&w, 2, at (&w, x, 4), 4, at (&w, b, 0), 0);
  world_start (&w);
  go (&w, 1, 2);
  go (&w, 2, 1);
  w.m.threads[2].regs.data[old.i] = 77;
  expect_fault (&w, 2, IR_FAULT_OWNED_TWICE, 1);
  assert_string_equal (message (&w, 2), "threads 1 and 2 own `x` at once (declared at t1.c:1)");
  assert_int_equal (word_of (&w, b, 0), 0);  // as before
  assert_int_equal (value_of (&w, 2, old), 77);
  w.m.threads[2].frames.data[0].loc = action_of (&w.m, 2).d->to;
  expect_fault (&w, 2, IR_FAULT_OWNED_TWICE, 1);  // the declaration itself is the fault
  world_release (&w);
}

static void changes_by_others (void **state) {
  (void) state;
  world w;
  world_init (&w, 3);
  ir_object x = world_object (&w, "x", 8), spin = world_object (&w, "spin", 4);
  ir_reg old = reg (&w, 2, 32, NULL), done = reg (&w, 2, 1, NULL);
  emit_own (&w, 1, at (&w, x, 0), 8, at (&w, spin, 0), 1);
  EMIT (&w, 1, IR_STORE, NONE, at (&w, spin, 0), number (&w, 32, 1));
  EMIT (&w, 1, IR_STORE, NONE, at (&w, spin, 0), number (&w, 32, 0));
  EMIT (&w, 2, IR_STORE, NONE, at (&w, spin, 0), number (&w, 32, 1));
  ir_edge e = EMIT (&w, 2, IR_CMPXCHG, old, at (&w, spin, 0), number (&w, 32, 3), number (&w, 32, 1));
  ir_edge_at (w.p, e)->dst2 = done;
  EMIT (&w, 2, IR_STORE, NONE, at (&w, spin, 0), number (&w, 32, 1));
  EMIT (&w, 2, IR_STORE, NONE, at (&w, spin, 0), number (&w, 32, 2));
  world_start (&w);
  go (&w, 1, 1);
  expect_fault (&w, 2, IR_FAULT_OWNER_CHANGED, 1);
  assert_string_equal (message (&w, 2), "thread 2 makes thread 1 own `x` (declared at t1.c:1)");
  go (&w, 1, 1);
  go (&w, 2, 3);  // it writes the value that is already there, and the comparison fails
  expect_fault (&w, 2, IR_FAULT_OWNER_CHANGED, 1);
  assert_string_equal (message (&w, 2), "thread 2 takes `x` from thread 1 (declared at t1.c:1)");
  assert_int_equal (word_of (&w, spin, 0), 1);
  go (&w, 1, 1);
  go (&w, 2, 1);  // neither value is the one declared
  world_release (&w);
}

// An undefined cell counts as 0 until a thread reads it, which chooses its value.
static void cell_defined_by_reading (void **state) {
  (void) state;
  world w;
  world_init (&w, 3);
  ir_object x = world_object (&w, "x", 4);
  ir_reg p = reg (&w, 1, 64, NULL), q = reg (&w, 2, 64, NULL), r = reg (&w, 2, 32, NULL);
  ir_edge e = EMIT (&w, 1, IR_ALLOC, p, number (&w, 64, 4));
  ir_edge_at (w.p, e)->aux = IR_ALLOC_HEAP;
  emit_own (&w, 1, at (&w, x, 0), 4, use (&w, 1, p), 0);
  EMIT0 (&w, 2, IR_NOP, NONE);
  EMIT (&w, 2, IR_LOAD, r, use (&w, 2, q));
  w.choices[w.num_choices++] = 4;
  w.choices[w.num_choices++] = 0;
  world_start (&w);
  go (&w, 1, 2);
  go (&w, 2, 1);
  w.m.threads[2].regs.data[q.i] = value_of (&w, 1, p);
  expect_fault (&w, 2, IR_FAULT_OWNER_CHANGED, 1);
  assert_true (memory_undefined_all (&w.m, value_of (&w, 1, p), 4));
  go (&w, 2, 1);
  world_release (&w);
}

static void ends (void **state) {
  (void) state;
  world w;
  world_init (&w, 3);
  ir_object x = world_object (&w, "x", 4), spin = world_object (&w, "spin", 4);
  ir_reg p = reg (&w, 1, 64, NULL), q = reg (&w, 2, 64, NULL);
  ir_edge e = EMIT (&w, 1, IR_ALLOC, p, number (&w, 64, 4));
  ir_edge_at (w.p, e)->aux = IR_ALLOC_HEAP_ZEROED;
  emit_own (&w, 1, at (&w, x, 0), 4, use (&w, 1, p), 0);
  emit_own (&w, 1, at (&w, x, 0), 4, at (&w, spin, 0), 0);
  emit_own (&w, 1, at (&w, x, 0), 4, at (&w, spin, 0), 1);  // instead
  EMIT (&w, 1, IR_FREE, NONE, use (&w, 1, p));
  EMIT (&w, 1, IR_STORE, NONE, at (&w, spin, 0), number (&w, 32, 1));
  EMIT0 (&w, 2, IR_NOP, NONE);
  EMIT (&w, 2, IR_FREE, NONE, use (&w, 2, q));
  EMIT (&w, 2, IR_STORE, NONE, at (&w, x, 0), number (&w, 32, 1));
  EMIT (&w, 2, IR_STORE, NONE, at (&w, x, 0), number (&w, 32, 1));
  world_start (&w);
  go (&w, 1, 4);
  assert_int_equal (w.m.num_owned, 2);
  go (&w, 2, 1);
  w.m.threads[2].regs.data[q.i] = value_of (&w, 1, p);
  expect_fault (&w, 2, IR_FAULT_OWNER_CHANGED, 1);
  w.m.threads[2].regs.data[q.i] = 0;
  go (&w, 2, 1);
  expect_fault (&w, 2, IR_FAULT_INTRUSION, 1);
  go (&w, 1, 1);
  go (&w, 2, 1);  // the cell is gone
  go (&w, 1, 1);
  expect_fault (&w, 2, IR_FAULT_INTRUSION, 1);
  go (&w, 1, 1);  // and the owning thread is gone
  assert_int_equal (w.m.num_owned, 0);
  go (&w, 2, 1);
  world_release (&w);
}

static void what_cannot_be_undone (void **state) {
  (void) state;
  world w;
  world_init (&w, 3);
  ir_object x = world_object (&w, "x", 4), m = world_object (&w, "m", 40);
  emit_own (&w, 1, at (&w, x, 0), 8, at (&w, m, 0), 0);
  emit_own (&w, 1, at (&w, x, 0), 4, at (&w, m, IR_MUTEX_OWNER), 0);
  EMIT (&w, 2, IR_MUTEX_LOCK, reg (&w, 2, 32, NULL), at (&w, m, 0));
  world_start (&w);
  assert_int_equal (machine_step (&w.m, 1), STEP_VIOLATION);
  assert_int_equal (w.m.fault.kind, IR_FAULT_BOUNDS);  // of 8 bytes there are 4
  w.m.threads[1].frames.data[0].loc = action_of (&w.m, 1).d->to;
  go (&w, 1, 1);
  assert_int_equal (machine_step (&w.m, 2), STEP_UNSUPPORTED);
  world_release (&w);
}

// ---- against a naive model ------------------------------------------------------------------------------
// Three threads work on two words of data and two cells, all of the small values 0..2, declaring and writing at random.
enum { DATA = 2, CELLS = 2, VALUES = 3, RANDOM_OPS = 30, WORDS = DATA + CELLS };

typedef struct naive {
  uint32_t word[WORDS];                      // data, then cells
  int declared[WORLD_THREADS][DATA][CELLS];  // value, or -1
} naive;

static bool naive_owns (const naive *n, uint32_t t, uint32_t data) {
  for (uint32_t c = 0; c < CELLS; c++)
    if (n->declared[t][data][c] == (int) n->word[DATA + c]) return true;
  return false;
}

static bool naive_clash (const naive *n) {
  for (uint32_t data = 0; data < DATA; data++) {
    uint32_t owners = 0;
    for (uint32_t t = 0; t < WORLD_THREADS; t++) owners += naive_owns (n, t, data);
    if (owners > 1) return true;
  }
  return false;
}

// Of any other thread's declarations, one by one.
static bool naive_others_changed (const naive *before, const naive *after, uint32_t self) {
  for (uint32_t t = 0; t < WORLD_THREADS; t++)
    for (uint32_t k = 0; t != self && k < DATA * CELLS; k++) {
      int value = before->declared[t][k / CELLS][k % CELLS];
      uint32_t c = DATA + k % CELLS;
      if ((value == (int) before->word[c]) != (value == (int) after->word[c])) return true;
    }
  return false;
}

typedef struct random_op {
  bool declares, writes;
  uint32_t word, cell, value;
} random_op;

static bool naive_breaks (naive *n, uint32_t t, const random_op *op) {
  naive after = *n;
  if (op->declares) after.declared[t][op->word][op->cell] = (int) op->value;
  else if (op->writes) after.word[op->word] = op->value;
  for (uint32_t u = 0; !op->declares && op->word < DATA && u < WORLD_THREADS; u++)
    if (u != t && naive_owns (n, u, op->word)) return true;
  if (naive_others_changed (n, &after, t) || naive_clash (&after)) return true;
  *n = after;
  return false;
}

static void random_ops_like_the_naive_model (void **state) {
  (void) state;
  uint32_t broken = 0, fine = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    world w;
    rng r = {seed};
    random_op ops[WORLD_THREADS][RANDOM_OPS];
    world_init (&w, 4);
    ir_object words = world_object (&w, "words", 4 * WORDS);
    for (uint32_t t = 1; t < 4; t++)
      for (uint32_t i = 0; i < RANDOM_OPS; i++) {
        random_op *op = &ops[t][i];
        *op = (random_op){rng_below (&r, 4) == 0, rng_below (&r, 2), 0, rng_below (&r, CELLS), rng_below (&r, VALUES)};
        op->word = rng_below (&r, op->declares ? DATA : WORDS);
        ir_expr where = at (&w, words, 4 * op->word);
        if (op->declares) emit_own (&w, t, where, 4, at (&w, words, 4 * (DATA + op->cell)), op->value);
        else if (op->writes) EMIT (&w, t, IR_STORE, NONE, where, number (&w, 32, op->value));
        else EMIT (&w, t, IR_LOAD, reg (&w, t, 32, NULL), where);
      }
    world_start (&w);
    naive n;
    memset (&n, 0, sizeof n);
    memset (n.declared, -1, sizeof n.declared);
    uint32_t next[WORLD_THREADS] = {0};
    for (uint32_t step = 0; step < 60; step++) {
      uint32_t t = 1 + rng_below (&r, 3);
      if (next[t] == RANDOM_OPS) continue;
      bool breaks = naive_breaks (&n, t, &ops[t][next[t]++]);
      step_kind k = machine_step (&w.m, t);
      if (k != (breaks ? STEP_VIOLATION : STEP_DONE)) fail_msg ("seed %u, step %u", (unsigned) seed, step);
      breaks ? broken++ : fine++;
      if (breaks) w.m.threads[t].frames.data[0].loc = action_of (&w.m, t).d->to;  // goes on as if it had not been there
      w.m.threads[t].pending.known = false;
    }
    for (uint32_t k = 0; k < WORDS; k++) assert_int_equal (word_of (&w, words, 4 * k), n.word[k]);
    world_release (&w);
  }
  assert_true (broken > 1000 && fine > 1000);
}

TEST_MAIN (cmocka_unit_test (use_of_what_another_owns), cmocka_unit_test (locks_are_used_too),
           cmocka_unit_test (two_owners), cmocka_unit_test (changes_by_others),
           cmocka_unit_test (cell_defined_by_reading), cmocka_unit_test (ends),
           cmocka_unit_test (what_cannot_be_undone), cmocka_unit_test (random_ops_like_the_naive_model))
