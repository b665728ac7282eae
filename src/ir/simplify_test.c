// ir_simplify: which values are substituted, which must not be, and that random programs keep their behaviour.
#include <time.h>

#include "base/test.h"
#include "ir/random_program_test.h"

static char *print_proc (const ir_program *p) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream (&text, &size);
  ir_print (p, file);
  fclose (file);
  char *body = strdup (strstr (text, "{\n") + 2);
  body[strlen (body) - 2] = 0;
  free (text);
  return body;
}

static ir_program *must_parse (const char *text) {
  char *error = NULL;
  ir_program *p = ir_parse (text, "t.ir", &error);
  if (!p || !ir_check (p, &error)) fail_msg ("%s", error);
  return p;
}

#define PROGRAM(REGS, LINES)                                                                               \
  "lockstep-ir 1 pointer_bits 64 offset_bits 32 global #1 g : 64 bytes function #2 f : 0 bytes start &f\n" \
  "proc f = #2 () entry L0 {\nregs " REGS "\n" LINES "}\n"

static void assert_becomes (const char *before, const char *after) {
  ir_program *p = must_parse (before);
  ir_simplify (p);
  char *error = NULL;
  if (!ir_check (p, &error)) fail_msg ("%s", error);
  char *text = print_proc (p);
  assert_string_equal (text, after);
  free (text);
  ir_program_free (p);
}

static void values_move_into_their_use (void **state) {
  (void) state;
  assert_becomes (
      PROGRAM ("r0:32, r1:32, r2:32",
               "L0: r0 = load.4 &g -> L1  L1: r1 = assign (r0 + 1:32) -> L2  L2: r2 = assign (r1 * r0) -> L3\n"
               "L3: store.4 &g, r2 -> L4  L4: exit 0:32\n"),
      "  regs r0:32\n"
      "  L0: r0 = load.4 &g -> L1\n"
      "  L1: store.4 &g, ((r0 + 1:32) * r0) -> L2\n"
      "  L2: exit 0:32\n");
}

static void a_branch_takes_its_condition (void **state) {
  (void) state;
  assert_becomes (PROGRAM ("r0:32, r1:1, r2:32",
                           "L0: r0 = load.4 &g -> L1  L1: r1 = assign ((r0 + r0) == 4:32) -> L2\n"
                           "L2: assume r1 -> L3  L2: assume (r1 ^ 1:1) -> L4  L3: exit 1:32  L4: exit 0:32\n"),
                  "  regs r0:32\n"
                  "  L0: r0 = load.4 &g -> L1\n"
                  "  L1: assume ((r0 + r0) == 4:32) -> L2\n"
                  "  L1: assume ((r0 + r0) != 4:32) -> L3\n"
                  "  L2: exit 1:32\n"
                  "  L3: exit 0:32\n");
}

static void names_take_values_too (void **state) {
  (void) state;
  assert_becomes (PROGRAM ("r0:32, r1:64, r2:32",
                           "L0: r0 = load.4 &g -> L1  L1: r1 = assign sext.64(r0) -> L2\n"
                           "L2: store.4 (&g + r1), 0:32 name \"g[{}]\" (r1) -> L3  L3: exit 0:32\n"),
                  "  regs r0:32\n"
                  "  L0: r0 = load.4 &g -> L1\n"
                  "  L1: store.4 (&g + sext.64(r0)), 0:32 name \"g[{}]\" (sext.64(r0)) -> L2\n"
                  "  L2: exit 0:32\n");
}

static void dead_work_goes_loads_stay (void **state) {
  (void) state;
  assert_becomes (
      PROGRAM ("r0:32, r1:32, r2:32, r3:32",
               "L0: r0 = nondet -> L1  L1: r1 = assign (r0 + 1:32) -> L2  L2: nop -> L3\n"
               "L3: r2 = load.4 &g -> L4  L4: r3 = load.4 &g -> L5  L5: check assert 1:1 message \"yes\" -> L6\n"
               "L6: nop -> L7 L7: exit 0:32\n"),
      "  regs r0:32, r1:32\n"
      "  L0: r0 = load.4 &g -> L1\n"
      "  L1: r1 = load.4 &g -> L2\n"
      "  L2: check assert 1:1 message \"yes\" -> L3\n"
      "  L3: exit 0:32\n");
}

static void a_counter_that_feeds_itself_is_dead (void **state) {
  (void) state;
  assert_becomes (PROGRAM ("r0:32", "L0: r0 = assign (r0 + 1:32) -> L1  L1 \"loop\": nop -> L0\n"),
                  "  L0 \"loop\": nop -> L0\n");
}

// A choice in an endless loop whose value is never read becomes a nop.
static void a_choice_in_an_endless_loop_is_dead (void **state) {
  (void) state;
  assert_becomes (PROGRAM ("r0:32", "L0: r0 = nondet aux 1 -> L0\n"), "  L0: nop -> L0\n");
}

static void constants_decide_branches (void **state) {
  (void) state;
  assert_becomes (PROGRAM ("r0:32, r1:1", "L0: r0 = assign 3:32 -> L1  L1: r1 = assign (r0 == 3:32) -> L2\n"
                                          "L2: assume r1 -> L3  L2: assume (r1 ^ 1:1) -> L4\n"
                                          "L3: store.4 &g, r0 -> L5  L4: store.4 &g, 7:32 -> L5  L5: exit 0:32\n"),
                  "  L0: store.4 &g, 3:32 -> L1\n"
                  "  L1: exit 0:32\n");
}

static void a_branch_to_one_place_goes (void **state) {
  (void) state;
  assert_becomes (
      PROGRAM ("r0:32, r1:1",
               "L0: r0 = load.4 &g -> L1  L1: r1 = assign (r0 == 3:32) -> L2\n"
               "L2: assume r1 -> L3  L2: assume (r1 ^ 1:1) -> L4  L3: nop -> L5  L4: nop -> L5  L5: exit 0:32\n"),
      "  regs r0:32\n"
      "  L0: r0 = load.4 &g -> L1\n"
      "  L1: exit 0:32\n");
}

static void an_infeasible_end_stays (void **state) {
  (void) state;
  assert_becomes (PROGRAM ("r0:32", "L0: assume 0:1 -> L1  L1: exit 0:32\n"),
                  "  L0: assume 0:1 -> L1\n  L1: exit 0:32\n");
}

// ---- what must not move --------------------------------------------------------------------------------------------

static void assert_unchanged (const char *text) {
  ir_program *p = must_parse (text);
  char *before = print_proc (p);
  ir_simplify (p);
  char *after = print_proc (p);
  assert_string_equal (after, before);
  free (before);
  free (after);
  ir_program_free (p);
}

static void a_redefinition_in_between (void **state) {
  (void) state;
  assert_unchanged (PROGRAM ("r0:32, r1:32",
                             "L0: r0 = load.4 &g -> L1  L1: r1 = assign (r0 + 1:32) -> L2  L2: r0 = load.4 &g -> L3\n"
                             "L3: store.4 &g, (r0 + r1) -> L4  L4: exit 0:32\n"));
}

static void a_use_that_is_not_dominated (void **state) {
  (void) state;
  assert_unchanged (PROGRAM ("r0:32, r1:32, r2:1",
                             "L0: r0 = load.4 &g -> L1  L1: r2 = nondet message \"?\" -> L2\n"
                             "L2: assume r2 -> L3  L2: assume (r2 ^ 1:1) -> L4\n"
                             "L3: r1 = assign (r0 * r0) -> L4  L4: store.4 &g, r1 -> L5  L5: exit 0:32\n"));
}

static void a_use_before_the_definition_in_a_loop (void **state) {
  (void) state;
  assert_unchanged (PROGRAM (
      "r0:32, r1:32", "L0: store.4 &g, r1 -> L1  L1: r0 = load.4 &g -> L2  L2: r1 = assign (r0 + 1:32) -> L0\n"));
}

static void a_value_that_reads_its_own_register (void **state) {
  (void) state;
  assert_unchanged (PROGRAM ("r0:32", "L0: r0 = assign (r0 + 1:32) -> L1  L1: store.4 &g, r0 -> L0\n"));
}

// r1 is the old value of the variable r0, which is defined twice.
static void the_old_value_of_a_variable (void **state) {
  (void) state;
  assert_unchanged (PROGRAM ("r0:32, r1:32",
                             "L0: r0 = assign 5:32 -> L1  L1: r1 = assign r0 -> L2  L2: r0 = assign (r0 + 1:32) -> L3\n"
                             "L3: store.4 &g, r1 -> L1\n"));
}

static void a_value_used_often_and_not_small (void **state) {
  (void) state;
  assert_unchanged (PROGRAM ("r0:32, r1:32",
                             "L0: r0 = load.4 &g -> L1  L1: r1 = assign ((r0 * r0) + (r0 ^ 5:32)) -> L2\n"
                             "L2: store.4 &g, r1 -> L3  L3: store.4 &g, r1 -> L4  L4: exit 0:32\n"));
}

static void no_operand_explodes (void **state) {
  (void) state;
  strbuf text = {0};
  strbuf_add (&text,
              "lockstep-ir 1 pointer_bits 64 offset_bits 32 global #1 g : 64 bytes function #2 f : 0 bytes start &f\n"
              "proc f = #2 () entry L0 {\nregs r0:32");
  for (unsigned i = 1; i <= 30; i++) strbuf_printf (&text, ", r%u:32", i);
  strbuf_add (&text, "\nL0: r0 = load.4 &g -> L1\n");
  for (unsigned i = 1; i <= 30; i++) strbuf_printf (&text, "L%u: r%u = assign (r%u * r0) -> L%u\n", i, i, i - 1, i + 1);
  strbuf_add (&text, "L31: exit r30 }");
  ir_program *p = must_parse (strbuf_text (&text));
  ir_simplify (p);
  for (uint32_t i = 0; i < p->args.count; i++) assert_true (p->tables->size.data[p->args.data[i].i] <= 40);
  assert_int_equal (p->edges.count, 3);  // the load, one value in between, the exit
  ir_program_free (p);
  strbuf_release (&text);
}

// ---- random programs -----------------------------------------------------------------------------------------------

// The number of synchronisation operations, accesses, checks and calls per procedure stays the same, without
// unreachable ones.
static void random_programs_do_the_same (void **state) {
  (void) state;
  uint64_t edges_before = 0, edges_after = 0, events = 0;
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    ir_program *p = random_program (seed), *q = random_program (seed);
    ir_simplify (q);
    char *error = NULL;
    if (!ir_check (q, &error)) fail_msg ("seed %u: %s", (unsigned) seed, error);
    edges_before += p->edges.count;
    edges_after += q->edges.count;
    for (uint32_t f = 0; f < p->procs.count; f++) {
      recording a, b;
      record_run (p, (ir_proc){f}, false, &a);
      record_run (q, (ir_proc){f}, false, &b);
      events += a.events.count;
      if (b.events.count < a.events.count)
        fail_msg ("seed %u: %u events became %u", (unsigned) seed, a.events.count, b.events.count);
      for (uint32_t i = 0; i < a.events.count; i++)
        if (a.events.data[i].op != b.events.data[i].op || a.events.data[i].operands != b.events.data[i].operands)
          fail_msg ("seed %u: event %u differs", (unsigned) seed, i);
      if (a.end != STOPPED && a.end != b.end) fail_msg ("seed %u: ends differently", (unsigned) seed);
      vec_release (&a.events);
      vec_release (&b.events);
    }
    ir_program_free (p);
    ir_program_free (q);
  }
  assert_true (events > 20000 && edges_after < edges_before * 3 / 4);
}

// A procedure of 100,000 assigns, tests and stores: the time is linear in its length, not quadratic.
static void long_procedures_are_fast (void **state) {
  (void) state;
  ir_program *p = ir_program_new ();
  ir_object g = ir_add_object (p, "g", IR_O_GLOBAL, 4);
  ir_proc f = ir_add_proc (p, "f");
  ir_loc at = ir_proc_at (p, f)->entry = ir_add_loc (p, f);
  for (unsigned i = 0; i < 25000; i++) {
    ir_reg x = ir_add_reg (p, f, 32, NULL), y = ir_add_reg (p, f, 32, NULL);
    ir_loc l1 = ir_add_loc (p, f), l2 = ir_add_loc (p, f), l3 = ir_add_loc (p, f);
    ir_edge load = ir_add_edge (p, IR_LOAD, at, l1);
    ir_edge_at (p, load)->dst = x, ir_edge_at (p, load)->bytes = 4;
    ir_add_arg (p, load, ir_addr (p, g, 0));
    ir_edge assign = ir_add_edge (p, IR_ASSIGN, l1, l2);
    ir_edge_at (p, assign)->dst = y;
    ir_add_arg (p, assign, ir_binary (p, IR_X_ADD, ir_use (p, f, x), ir_const (p, 32, i)));
    ir_edge store = ir_add_edge (p, IR_STORE, l2, l3);
    ir_edge_at (p, store)->bytes = 4;
    ir_add_arg (p, store, ir_addr (p, g, 0));
    ir_add_arg (p, store, ir_use (p, f, y));
    ir_add_edge (p, IR_NOP, l3, at = ir_add_loc (p, f));
  }
  ir_add_arg (p, ir_add_edge (p, IR_EXIT, at, (ir_loc){IR_NONE}), ir_const (p, 32, 0));
  p->start = f;
  clock_t start = clock ();
  ir_simplify (p);
  double seconds = (double) (clock () - start) / CLOCKS_PER_SEC;
  assert_int_equal (p->edges.count, 50001);
  assert_true (ir_check (p, NULL));
  assert_true (seconds < 5);  // 0.1 s; a sanitizer and a busy machine may take longer
  ir_program_free (p);
}

TEST_MAIN (cmocka_unit_test (values_move_into_their_use), cmocka_unit_test (a_branch_takes_its_condition),
           cmocka_unit_test (names_take_values_too), cmocka_unit_test (dead_work_goes_loads_stay),
           cmocka_unit_test (a_counter_that_feeds_itself_is_dead),
           cmocka_unit_test (a_choice_in_an_endless_loop_is_dead), cmocka_unit_test (constants_decide_branches),
           cmocka_unit_test (a_branch_to_one_place_goes), cmocka_unit_test (an_infeasible_end_stays),
           cmocka_unit_test (a_redefinition_in_between), cmocka_unit_test (a_use_that_is_not_dominated),
           cmocka_unit_test (a_use_before_the_definition_in_a_loop),
           cmocka_unit_test (a_value_that_reads_its_own_register), cmocka_unit_test (the_old_value_of_a_variable),
           cmocka_unit_test (a_value_used_often_and_not_small), cmocka_unit_test (no_operand_explodes),
           cmocka_unit_test (random_programs_do_the_same), cmocka_unit_test (long_procedures_are_fast))
