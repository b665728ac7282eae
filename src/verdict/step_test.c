// Local operations, calls, and the life of threads.
#include "verdict/verdict_test.h"

static ir_expr function (world *w, ir_proc f) { return at (w, ir_proc_at (w->p, f)->object, 0); }

static void assign_nondet_check (void **state) {
  (void) state;
  world w;
  world_init (&w, 1);
  ir_reg x = reg (&w, 0, 8, "x");
  EMIT (&w, 0, IR_ASSIGN, x, number (&w, 8, 200));
  EMIT0 (&w, 0, IR_NONDET, x);
  EMIT (&w, 0, IR_CHECK, NONE, ir_binary (w.p, IR_X_EQ, use (&w, 0, x), number (&w, 8, 3)));
  ir_edge e = EMIT (&w, 0, IR_CHECK, NONE, ir_binary (w.p, IR_X_NE, use (&w, 0, x), number (&w, 8, 3)));
  ir_edge_at (w.p, e)->aux = IR_P_OVERFLOW;
  w.choices[w.num_choices++] = 3;
  world_start (&w);
  go (&w, 0, 1);
  assert_int_equal (value_of (&w, 0, x), 200);
  go (&w, 0, 2);
  assert_int_equal (machine_step (&w.m, 0), STEP_VIOLATION);
  assert_int_equal (w.m.fault.property, IR_P_OVERFLOW);
  world_release (&w);
}

static void branches (void **state) {
  (void) state;
  for (unsigned value = 0; value < 3; value++) {
    world w;
    world_init (&w, 1);
    ir_reg x = reg (&w, 0, 8, "x"), y = reg (&w, 0, 8, "y");
    EMIT0 (&w, 0, IR_NONDET, x);
    ir_loc branch = w.at[0];
    EMIT (&w, 0, IR_ASSUME, NONE, ir_binary (w.p, IR_X_EQ, use (&w, 0, x), number (&w, 8, 0)));
    EMIT (&w, 0, IR_ASSIGN, y, number (&w, 8, 10));
    ir_loc join = w.at[0];
    ir_edge e = ir_add_edge (w.p, IR_ASSUME, branch, join);
    ir_add_arg (w.p, e, ir_binary (w.p, IR_X_EQ, use (&w, 0, x), number (&w, 8, 1)));
    EMIT0 (&w, 0, IR_NOP, NONE);
    w.choices[w.num_choices++] = value;
    world_start (&w);
    go (&w, 0, 1);
    if (value == 2) assert_int_equal (machine_step (&w.m, 0), STEP_INFEASIBLE);
    else {
      go (&w, 0, value == 0 ? 2 : 1);
      assert_int_equal (w.m.threads[0].frames.data[0].loc.i, join.i);
      assert_int_equal (value_of (&w, 0, y), value == 0 ? 10 : 0);
    }
    world_release (&w);
  }
}

// int twice (int x, int y): returns x + y in 64 bits.
static ir_proc make_callee (world *w) {
  ir_proc f = ir_add_proc (w->p, "sum");
  ir_reg x = ir_add_reg (w->p, f, 16, "x"), y = ir_add_reg (w->p, f, 16, "y"), p = ir_add_reg (w->p, f, 64, "p");
  ir_proc_at (w->p, f)->num_params = 2;
  ir_proc_at (w->p, f)->result_bits = 16;
  ir_loc a = ir_add_loc (w->p, f), b = ir_add_loc (w->p, f);
  ir_proc_at (w->p, f)->entry = a;
  ir_edge e = ir_add_edge (w->p, IR_ALLOC, a, b);
  ir_edge_at (w->p, e)->dst = p;
  ir_add_arg (w->p, e, number (w, 64, 4));
  e = ir_add_edge (w->p, IR_RETURN, b, (ir_loc){IR_NONE});
  ir_add_arg (w->p, e, ir_binary (w->p, IR_X_ADD, ir_use (w->p, f, x), ir_use (w->p, f, y)));
  return f;
}

static void calls (void **state) {
  (void) state;
  world w;
  world_init (&w, 1);
  ir_proc f = make_callee (&w);
  ir_reg x = reg (&w, 0, 32, "x"), y = reg (&w, 0, 8, "y");
  EMIT (&w, 0, IR_CALL, x, function (&w, f), number (&w, 32, 0x10001), number (&w, 32, 2), number (&w, 32, 99));
  EMIT (&w, 0, IR_CALL, y, function (&w, f), number (&w, 32, 0x1ff));
  EMIT (&w, 0, IR_CALL, NONE, at (&w, w.handles, 0));
  world_start (&w);
  go (&w, 0, 2);
  assert_int_equal (w.m.threads[0].frames.count, 2);
  assert_int_equal (w.m.threads[0].stack.count, 1);
  go (&w, 0, 1);
  assert_int_equal (value_of (&w, 0, x), 3);  // arguments cut to 16 bits, the third dropped
  assert_int_equal (w.m.threads[0].stack.count, 0);
  assert_false (w.m.dynamic[0].data[0].alive);
  go (&w, 0, 3);
  assert_int_equal (value_of (&w, 0, y), 0xff);  // the missing argument is 0, the result cut
  assert_int_equal (w.m.dynamic[0].count, 2);    // indices are not reused
  assert_int_equal (machine_step (&w.m, 0), STEP_VIOLATION);
  assert_int_equal (w.m.fault.kind, IR_FAULT_BAD_CALL);
  world_release (&w);
}

static void stack_save_and_restore (void **state) {
  (void) state;
  world w;
  world_init (&w, 1);
  ir_reg p = reg (&w, 0, 64, "p"), q = reg (&w, 0, 64, "q"), s = reg (&w, 0, 64, NULL);
  EMIT (&w, 0, IR_ALLOC, p, number (&w, 64, 8));
  EMIT0 (&w, 0, IR_STACK_SAVE, s);
  EMIT (&w, 0, IR_ALLOC, q, number (&w, 64, 8));
  EMIT (&w, 0, IR_STACK_RESTORE, NONE, use (&w, 0, s));
  EMIT0 (&w, 0, IR_NOP, NONE);
  world_start (&w);
  go (&w, 0, 4);
  assert_int_equal (value_of (&w, 0, s), 1);
  assert_int_equal (memory_check (&w.m, value_of (&w, 0, p), 8, true), IR_FAULT_NONE);
  assert_int_equal (memory_check (&w.m, value_of (&w, 0, q), 8, true), IR_FAULT_STACK);
  world_release (&w);
}

static void object_sizes (void **state) {
  (void) state;
  world w;
  world_init (&w, 1);
  ir_reg p = reg (&w, 0, 64, "p"), living = reg (&w, 0, 64, NULL), dead = reg (&w, 0, 64, NULL),
         none = reg (&w, 0, 64, NULL);
  ir_edge_at (w.p, EMIT (&w, 0, IR_ALLOC, p, number (&w, 64, 12)))->aux = IR_ALLOC_HEAP;
  EMIT (&w, 0, IR_OBJECT_SIZE, living, ir_binary (w.p, IR_X_ADD, use (&w, 0, p), number (&w, 64, 100)));
  EMIT (&w, 0, IR_FREE, NONE, use (&w, 0, p));
  EMIT (&w, 0, IR_ASSIGN, none, number (&w, 64, 5));
  EMIT (&w, 0, IR_ASSIGN, dead, number (&w, 64, 5));
  EMIT (&w, 0, IR_OBJECT_SIZE, dead, use (&w, 0, p));
  EMIT (&w, 0, IR_OBJECT_SIZE, none, number (&w, 64, 0));
  world_start (&w);
  go (&w, 0, 7);
  assert_int_equal (value_of (&w, 0, living), 12);
  assert_int_equal (value_of (&w, 0, dead), 0);
  assert_int_equal (value_of (&w, 0, none), 0);
  world_release (&w);
}

static void create_join_detach (void **state) {
  (void) state;
  world w;
  world_init (&w, 3);
  ir_reg self = reg (&w, 1, 64, NULL), h = reg (&w, 0, 64, NULL), result = reg (&w, 0, 64, NULL),
         again = reg (&w, 0, 64, NULL);
  EMIT0 (&w, 1, IR_THREAD_SELF, self);
  EMIT (&w, 1, IR_THREAD_EXIT, NONE, number (&w, 64, 77));
  ir_edge e = EMIT (&w, 0, IR_LOAD, h, at (&w, w.handles, 8));
  ir_edge_at (w.p, e)->bytes = 8;
  EMIT (&w, 0, IR_THREAD_JOIN, result, use (&w, 0, h));
  EMIT (&w, 0, IR_THREAD_JOIN, again, use (&w, 0, h));
  EMIT (&w, 0, IR_THREAD_DETACH, NONE, number (&w, 64, 3));
  EMIT (&w, 0, IR_THREAD_CREATE, reg (&w, 0, 32, NULL), at (&w, w.handles, 8), function (&w, w.proc[2]),
        number (&w, 64, 0));
  EMIT (&w, 0, IR_THREAD_JOIN, again, number (&w, 64, 3));
  world_start (&w);
  assert_int_equal (w.m.num_running, 3);
  go (&w, 0, 1);
  assert_int_equal (value_of (&w, 0, h), 2);
  assert_true (blocked (&w, 0));
  go (&w, 1, 1);
  assert_int_equal (value_of (&w, 1, self), 2);
  go (&w, 1, 1);
  assert_int_equal (w.m.threads[1].state, THREAD_ENDED);
  go (&w, 0, 1);
  assert_int_equal (value_of (&w, 0, result), 77);
  assert_int_equal (w.m.threads[1].state, THREAD_FREE);
  assert_string_equal (misuse (&w, 0), "join of a thread that does not exist or is detached");
  go (&w, 0, 2);
  assert_int_equal (value_of (&w, 0, again), 0);
  go (&w, 0, 1);  // the lowest free slot is 1 again
  assert_int_equal (w.m.woken, 1);
  assert_non_null (misuse (&w, 0));  // detached
  go (&w, 2, 1);
  assert_int_equal (w.m.threads[2].state, THREAD_FREE);
  go (&w, 0, 1);
  assert_int_equal (machine_step (&w.m, 0), STEP_EXIT);
  world_release (&w);
}

static void too_many_threads (void **state) {
  (void) state;
  world w;
  world_init (&w, 1);
  ir_proc f = make_callee (&w);
  ir_reg r = reg (&w, 0, 32, NULL);
  for (int i = 0; i < 2; i++)
    EMIT (&w, 0, IR_THREAD_CREATE, r, at (&w, w.handles, 0), function (&w, f), number (&w, 64, 5));
  w.semantics.max_threads = 2;
  world_start (&w);
  go (&w, 0, 1);
  assert_int_equal (w.m.threads[1].regs.data[0], 5);
  assert_int_equal (machine_step (&w.m, 0), STEP_CUT);
  assert_string_equal (w.m.stop, "more than 2 threads at once");
  world_release (&w);
}

static void thread_locals_and_stacks_end_with_the_thread (void **state) {
  (void) state;
  world w;
  world_init (&w, 2);
  ir_object tl = ir_add_object (w.p, "tl", IR_O_THREAD_LOCAL, 4);
  uint8_t init[4] = {9, 0, 0, 0};
  ir_object_at (w.p, tl)->init = init;
  ir_reg p = reg (&w, 1, 64, "p"), mine = reg (&w, 0, 32, NULL), theirs = reg (&w, 1, 32, NULL);
  EMIT (&w, 0, IR_STORE, NONE, at (&w, tl, 0), number (&w, 32, 5));
  EMIT (&w, 0, IR_LOAD, mine, at (&w, tl, 0));
  EMIT (&w, 1, IR_LOAD, theirs, at (&w, tl, 0));
  EMIT (&w, 1, IR_ALLOC, p, number (&w, 64, 8));
  world_start (&w);
  go (&w, 0, 2);
  go (&w, 1, 2);
  assert_int_equal (value_of (&w, 0, mine), 5);
  assert_int_equal (value_of (&w, 1, theirs), 9);
  uint64_t stack = value_of (&w, 1, p), copy = address_make (w.p, object_number (w.p, 1, 0), 0);
  assert_int_equal (memory_check (&w.m, copy, 4, false), IR_FAULT_NONE);
  go (&w, 1, 1);
  assert_int_equal (w.m.threads[1].state, THREAD_ENDED);
  assert_int_equal (memory_check (&w.m, copy, 4, false), IR_FAULT_THREAD_STACK);
  assert_int_equal (memory_check (&w.m, stack, 4, false), IR_FAULT_THREAD_STACK);
  world_release (&w);
}

static void unsupported_and_exit (void **state) {
  (void) state;
  world w;
  world_init (&w, 1);
  ir_reg x = reg (&w, 0, 1, NULL);
  EMIT0 (&w, 0, IR_NONDET, x);
  ir_edge e = EMIT0 (&w, 0, IR_UNSUPPORTED, NONE);
  ir_edge_at (w.p, e)->message = "setjmp";
  world_start (&w);
  assert_int_equal (machine_step (&w.m, 0), STEP_NO_CHOICE);
  w.num_choices = 1;
  go (&w, 0, 1);
  assert_int_equal (machine_step (&w.m, 0), STEP_UNSUPPORTED);
  assert_string_equal (w.m.stop, "setjmp");
  world_release (&w);
}

TEST_MAIN (cmocka_unit_test (assign_nondet_check), cmocka_unit_test (branches), cmocka_unit_test (calls),
           cmocka_unit_test (stack_save_and_restore), cmocka_unit_test (object_sizes),
           cmocka_unit_test (create_join_detach), cmocka_unit_test (too_many_threads),
           cmocka_unit_test (thread_locals_and_stacks_end_with_the_thread), cmocka_unit_test (unsupported_and_exit))
