// Accesses: every memory error, undefined bytes and the choices they take, raw forms, atomic operations.
#include "verdict/verdict_test.h"

static ir_reg emit_alloc (world *w, uint32_t t, ir_alloc_kind kind, uint64_t size) {
  ir_reg p = reg (w, t, 64, "p");
  ir_edge e = EMIT (w, t, IR_ALLOC, p, number (w, 64, size));
  ir_edge_at (w->p, e)->aux = (uint8_t) kind;
  return p;
}

static ir_expr plus (world *w, ir_reg p, int64_t n) {
  return ir_binary (w->p, IR_X_ADD, use (w, 0, p), number (w, 64, (ir_value) (__int128) n));
}

// Builds one failing operation by `make` after its preparation and expects the fault.
static void expect_fault (uint32_t (*make) (world *), ir_fault kind) {
  world w;
  world_init (&w, 1);
  uint32_t edges = make (&w);
  world_start (&w);
  go (&w, 0, edges);
  assert_int_equal (machine_step (&w.m, 0), STEP_VIOLATION);
  assert_int_equal (w.m.fault.property, IR_P_MEMORY);
  assert_int_equal (w.m.fault.kind, kind);
  assert_int_equal (machine_step (&w.m, 0), STEP_VIOLATION);  // the machine is unchanged
  world_release (&w);
}

static uint32_t make_null (world *w) {
  EMIT (w, 0, IR_STORE, NONE, number (w, 64, 8), number (w, 32, 1));
  return 0;
}

static uint32_t make_invalid (world *w) {
  EMIT (w, 0, IR_LOAD, reg (w, 0, 32, NULL), number (w, 64, (ir_value) 9999 << 32));
  return 0;
}

static uint32_t make_function (world *w) {
  EMIT (w, 0, IR_LOAD, reg (w, 0, 32, NULL), at (w, ir_proc_at (w->p, w->proc[0])->object, 0));
  return 0;
}

static uint32_t make_bounds (world *w) {
  ir_reg p = emit_alloc (w, 0, IR_ALLOC_HEAP, 40);
  EMIT (w, 0, IR_STORE, NONE, plus (w, p, 36), number (w, 32, 1));
  EMIT (w, 0, IR_STORE, NONE, plus (w, p, 37), number (w, 32, 1));
  return 2;
}

static uint32_t make_below (world *w) {
  world_object (w, "x", 4);
  ir_reg p = emit_alloc (w, 0, IR_ALLOC_HEAP, 40);
  EMIT (w, 0, IR_LOAD, reg (w, 0, 32, NULL), plus (w, p, -4));
  return 1;
}

static uint32_t make_constant (world *w) {
  ir_object c = ir_add_object (w->p, "c", IR_O_CONSTANT, 4);
  EMIT (w, 0, IR_LOAD, reg (w, 0, 32, NULL), at (w, c, 0));
  EMIT (w, 0, IR_STORE, NONE, at (w, c, 0), number (w, 32, 1));
  return 1;
}

static uint32_t make_use_after_free (world *w) {
  ir_reg p = emit_alloc (w, 0, IR_ALLOC_HEAP, 4);
  EMIT (w, 0, IR_FREE, NONE, use (w, 0, p));
  EMIT (w, 0, IR_LOAD, reg (w, 0, 32, NULL), use (w, 0, p));
  return 2;
}

static uint32_t make_double_free (world *w) {
  ir_reg p = emit_alloc (w, 0, IR_ALLOC_HEAP_ZEROED, 4);
  EMIT (w, 0, IR_FREE, NONE, number (w, 64, 0));
  EMIT (w, 0, IR_FREE, NONE, use (w, 0, p));
  EMIT (w, 0, IR_FREE, NONE, use (w, 0, p));
  return 3;
}

static uint32_t make_free_inside (world *w) {
  ir_reg p = emit_alloc (w, 0, IR_ALLOC_HEAP, 4);
  EMIT (w, 0, IR_FREE, NONE, plus (w, p, 1));
  return 1;
}

static uint32_t make_free_stack (world *w) {
  ir_reg p = emit_alloc (w, 0, IR_ALLOC_STACK, 4);
  EMIT (w, 0, IR_FREE, NONE, use (w, 0, p));
  return 1;
}

static uint32_t make_stack (world *w) {
  ir_reg s = reg (w, 0, 64, NULL);
  EMIT0 (w, 0, IR_STACK_SAVE, s);
  ir_reg p = emit_alloc (w, 0, IR_ALLOC_STACK, 4);
  EMIT (w, 0, IR_STACK_RESTORE, NONE, use (w, 0, s));
  EMIT (w, 0, IR_STORE, NONE, use (w, 0, p), number (w, 32, 1));
  return 3;
}

static void memory_errors (void **state) {
  (void) state;
  expect_fault (make_null, IR_FAULT_NULL);
  expect_fault (make_invalid, IR_FAULT_INVALID);
  expect_fault (make_function, IR_FAULT_INVALID);
  expect_fault (make_bounds, IR_FAULT_BOUNDS);
  expect_fault (make_constant, IR_FAULT_CONSTANT);
  expect_fault (make_use_after_free, IR_FAULT_FREED);
  expect_fault (make_double_free, IR_FAULT_DOUBLE_FREE);
  expect_fault (make_free_inside, IR_FAULT_BAD_FREE);
  expect_fault (make_free_stack, IR_FAULT_BAD_FREE);
  expect_fault (make_stack, IR_FAULT_STACK);
  expect_fault (make_below, IR_FAULT_BOUNDS);  // the address before an object belongs to its neighbour's range
}

static void undefined_bytes (void **state) {
  (void) state;
  world w;
  world_init (&w, 1);
  ir_reg p = emit_alloc (&w, 0, IR_ALLOC_HEAP, 16), x = reg (&w, 0, 32, NULL), y = reg (&w, 0, 32, NULL),
         z = reg (&w, 0, 32, NULL);
  ir_reg raw = reg (&w, 0, 32, NULL), mask = reg (&w, 0, 8, NULL);
  EMIT (&w, 0, IR_LOAD, x, use (&w, 0, p));
  EMIT (&w, 0, IR_LOAD, y, use (&w, 0, p));
  ir_edge e = EMIT (&w, 0, IR_STORE, NONE, plus (&w, p, 5), number (&w, 8, 0xab));
  ir_edge_at (w.p, e)->bytes = 1;
  e = EMIT (&w, 0, IR_LOAD_RAW, raw, plus (&w, p, 4));
  ir_edge_at (w.p, e)->dst2 = mask;
  EMIT (&w, 0, IR_STORE_RAW, NONE, plus (&w, p, 8), use (&w, 0, raw), use (&w, 0, mask));
  EMIT (&w, 0, IR_LOAD, z, plus (&w, p, 8));
  EMIT (&w, 0, IR_FORGET, NONE, use (&w, 0, p));
  EMIT (&w, 0, IR_LOAD, x, use (&w, 0, p));
  w.num_choices = 2;
  w.choices[0] = ((ir_value) 1 << 32) + 123;
  w.choices[1] = 7;
  world_start (&w);
  go (&w, 0, 2);
  assert_true (w.m.chose);
  go (&w, 0, 1);
  assert_false (w.m.chose);  // the first load wrote its choice to memory
  assert_int_equal (value_of (&w, 0, x), 123);
  assert_int_equal (value_of (&w, 0, y), 123);
  go (&w, 0, 2);
  assert_int_equal (value_of (&w, 0, raw), 0xab00);
  assert_int_equal (value_of (&w, 0, mask), 0xd);
  go (&w, 0, 1);
  assert_int_equal (memory_undefined (&w.m, value_of (&w, 0, p) + 8, 4), 0xd);
  go (&w, 0, 1);
  assert_int_equal (value_of (&w, 0, z), 0xab00);  // single undefined bytes are 0, no choice is taken
  assert_int_equal (w.next_choice, 1);
  go (&w, 0, 2);
  assert_int_equal (value_of (&w, 0, x), 7);
  world_release (&w);
}

static void may_fail (void **state) {
  (void) state;
  world w;
  world_init (&w, 1);
  ir_reg p = emit_alloc (&w, 0, IR_ALLOC_HEAP, 8), q = emit_alloc (&w, 0, IR_ALLOC_HEAP_ZEROED, 8),
         s = emit_alloc (&w, 0, IR_ALLOC_STACK, 8);
  EMIT0 (&w, 0, IR_NOP, NONE);
  w.semantics.may_fail = true;
  w.num_choices = 2;
  w.choices[0] = 1;
  world_start (&w);
  go (&w, 0, 3);
  assert_int_equal (value_of (&w, 0, p), 0);
  assert_int_not_equal (value_of (&w, 0, q), 0);
  assert_int_not_equal (value_of (&w, 0, s), 0);
  assert_int_equal (memory_read (&w.m, value_of (&w, 0, q), 8), 0);
  world_release (&w);
}

static void read_modify_write (void **state) {
  (void) state;
  static const struct {
    ir_rmw_op op;
    uint32_t old, operand, result;
  } cases[] = {{IR_RMW_XCHG, 5, 9, 9},
               {IR_RMW_ADD, 0xffffffff, 2, 1},
               {IR_RMW_SUB, 1, 2, 0xffffffff},
               {IR_RMW_AND, 12, 10, 8},
               {IR_RMW_OR, 12, 10, 14},
               {IR_RMW_XOR, 12, 10, 6},
               {IR_RMW_NAND, 12, 10, ~8u},
               {IR_RMW_MAX, 0xffffffff, 2, 2},
               {IR_RMW_MIN, 0xffffffff, 2, 0xffffffff},
               {IR_RMW_UMAX, 0xffffffff, 2, 0xffffffff},
               {IR_RMW_UMIN, 0xffffffff, 2, 2},
               {IR_RMW_FADD, 0x3f800000 /* 1.0 */, 0x40000000 /* 2.0 */, 0x40400000 /* 3.0 */},
               {IR_RMW_FSUB, 0x3f800000, 0x40000000, 0xbf800000}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    world w;
    world_init (&w, 1);
    ir_object x = world_object (&w, "x", 4);
    ir_reg old = reg (&w, 0, 32, NULL);
    EMIT (&w, 0, IR_STORE, NONE, at (&w, x, 0), number (&w, 32, cases[i].old));
    ir_edge e = EMIT (&w, 0, IR_RMW, old, at (&w, x, 0), number (&w, 32, cases[i].operand));
    ir_edge_at (w.p, e)->aux = (uint8_t) cases[i].op;
    ir_edge_at (w.p, e)->order = IR_SEQ_CST;
    world_start (&w);
    go (&w, 0, 2);
    assert_int_equal (value_of (&w, 0, old), cases[i].old);
    assert_int_equal (word_of (&w, x, 0), cases[i].result);
    world_release (&w);
  }
}

static void compare_exchange (void **state) {
  (void) state;
  world w;
  world_init (&w, 1);
  ir_object x = world_object (&w, "x", 4);
  ir_reg old = reg (&w, 0, 32, NULL), ok = reg (&w, 0, 1, NULL);
  for (unsigned i = 0; i < 2; i++) {
    ir_edge e = EMIT (&w, 0, IR_CMPXCHG, old, at (&w, x, 0), number (&w, 32, 0), number (&w, 32, 5 + i));
    ir_edge_at (w.p, e)->dst2 = ok;
    ir_edge_at (w.p, e)->order = IR_SEQ_CST;
  }
  EMIT0 (&w, 0, IR_FENCE, NONE);
  world_start (&w);
  go (&w, 0, 1);
  assert_int_equal (value_of (&w, 0, ok), 1);
  assert_int_equal (value_of (&w, 0, old), 0);
  go (&w, 0, 2);
  assert_int_equal (value_of (&w, 0, ok), 0);
  assert_int_equal (value_of (&w, 0, old), 5);
  assert_int_equal (word_of (&w, x, 0), 5);
  world_release (&w);
}

static void initial_bytes_and_relocations (void **state) {
  (void) state;
  world w;
  world_init (&w, 1);
  ir_object x = world_object (&w, "x", 4), p = world_object (&w, "p", 16);
  uint8_t init[16] = {1, 2, 3, 4};
  ir_object_at (w.p, p)->init = init;
  ir_relocation r = {8, x, 2};
  vec_push (&ir_object_at (w.p, p)->relocations, r);
  world_start (&w);
  assert_int_equal (word_of (&w, p, 0), 0x04030201);
  assert_int_equal (memory_read (&w.m, address_make (w.p, p.i, 8), 8), address_make (w.p, x.i, 2));
  assert_int_equal (memory_read (&w.m, address_make (w.p, x.i, 0), 4), 0);
  world_release (&w);
}

static void huge_objects_are_refused (void **state) {
  (void) state;
  world w;
  world_init (&w, 1);
  emit_alloc (&w, 0, IR_ALLOC_HEAP, (uint64_t) 1 << 40);
  world_start (&w);
  assert_int_equal (machine_step (&w.m, 0), STEP_UNSUPPORTED);
  assert_non_null (w.m.stop);
  world_release (&w);
}

static uint64_t new_object (world *w, uint32_t slot) {
  uint64_t address = 0;
  return memory_new (&w->m, slot, OBJECT_HEAP, 4, false, 0, &address) ? address : 0;
}

static void kill_object (world *w, uint64_t address) { memory_kill (&w->m, address_object (w->p, address)); }

// With room for four objects per slot, the fifth gets the number of the object that died first, and never that of a
// living one.
static void numbers_of_the_dead_are_used_again (void **state) {
  (void) state;
  world w;
  world_init (&w, 1);
  world_start (&w);
  w.p->offset_bits = 64 - 9;  // numbers up to 511
  uint64_t at[4];
  for (unsigned i = 0; i < 3; i++) at[i] = new_object (&w, 5);
  kill_object (&w, at[1]);
  kill_object (&w, at[0]);
  assert_int_equal (memory_check (&w.m, at[1], 4, false), IR_FAULT_FREED);
  at[3] = new_object (&w, 5);
  assert_true (at[3] > at[2]);  // as long as there are unused numbers
  assert_int_equal (new_object (&w, 5), at[1]);
  assert_int_equal (memory_check (&w.m, at[1], 4, false), IR_FAULT_NONE);
  assert_int_equal (memory_undefined (&w.m, at[1], 4), 15);
  assert_int_equal (memory_check (&w.m, at[0], 4, false), IR_FAULT_FREED);
  assert_int_equal (new_object (&w, 5), at[0]);
  assert_int_equal (new_object (&w, 5), 0);
  assert_non_null (w.m.stop);
  kill_object (&w, at[2]);
  assert_int_equal (new_object (&w, 5), at[2]);
  world_release (&w);
}

// Threads that come and go in one slot: each has its own thread-local copies; the last ones get the numbers of earlier
// copies.
static void thread_locals_fit_for_ever (void **state) {
  (void) state;
  world w;
  world_init (&w, 1);
  ir_object local = ir_add_object (w.p, "local", IR_O_THREAD_LOCAL, 4);
  uint8_t init[4] = {7};
  ir_object_at (w.p, local)->init = init;
  world_start (&w);
  w.p->offset_bits = 64 - 9;
  for (unsigned i = 0; i < 9; i++) {
    thread_start (&w.m, 3, w.p->start, 0);
    thread *t = &w.m.threads[3];
    uint64_t number = object_number (w.p, 3, t->first_local), address = address_make (w.p, number, 0);
    assert_true (number < 512);
    assert_int_equal (memory_read (&w.m, address, 4), 7);
    memory_write (&w.m, address, 4, 8);
    memory_kill (&w.m, number);
  }
  world_release (&w);
}

TEST_MAIN (cmocka_unit_test (memory_errors), cmocka_unit_test (undefined_bytes), cmocka_unit_test (may_fail),
           cmocka_unit_test (read_modify_write), cmocka_unit_test (compare_exchange),
           cmocka_unit_test (initial_bytes_and_relocations), cmocka_unit_test (huge_objects_are_refused),
           cmocka_unit_test (numbers_of_the_dead_are_used_again), cmocka_unit_test (thread_locals_fit_for_ever))
