// Building: the order of edges and operands, copies of strings, clones, and released memory.
#include "base/test.h"
#include "ir/random_program_test.h"

static void the_header_example_works (void **state) {
  (void) state;
  ir_program *p = ir_program_new ();
  ir_proc f = ir_add_proc (p, "main");
  ir_reg r = ir_add_reg (p, f, 32, "x");
  ir_loc a = ir_add_loc (p, f), b = ir_add_loc (p, f);
  ir_edge e = ir_add_edge (p, IR_ASSIGN, a, b);
  ir_edge_at (p, e)->dst = r;
  ir_add_arg (p, e, ir_const (p, 32, 7));
  ir_add_arg (p, ir_add_edge (p, IR_EXIT, b, (ir_loc){IR_NONE}), ir_use (p, f, r));
  ir_proc_at (p, f)->entry = a;
  p->start = f;
  ir_finish (p);
  char *error = NULL;
  if (!ir_check (p, &error)) fail_msg ("%s", error);
  assert_int_equal (ir_object_at (p, ir_proc_at (p, f)->object)->proc.i, f.i);
  assert_int_equal (ir_object_at (p, ir_proc_at (p, f)->object)->kind, IR_O_FUNCTION);
  ir_program_free (p);
}

static void names_are_copied (void **state) {
  (void) state;
  ir_program *p = ir_program_new ();
  char name[] = "first";
  ir_object o = ir_add_object (p, name, IR_O_GLOBAL, 4);
  ir_proc f = ir_add_proc (p, name);
  ir_reg r = ir_add_reg (p, f, 8, name);
  ir_type t = ir_add_type (p, IR_T_INT, name, 4);
  name[0] = 'X';
  assert_string_equal (ir_object_at (p, o)->name, "first");
  assert_string_equal (ir_proc_at (p, f)->name, "first");
  assert_string_equal (ir_proc_at (p, f)->regs.data[r.i].name, "first");
  assert_string_equal (ir_type_at (p, t)->name, "first");
  ir_program_free (p);
}

// ir_finish sorts edges by location, and keeps the order in which the edges of one location were added.
static void finish_sorts_and_keeps_order (void **state) {
  (void) state;
  ir_program *p = ir_program_new ();
  ir_proc f = ir_add_proc (p, "f");
  ir_loc l[4];
  for (unsigned i = 0; i < 4; i++) l[i] = ir_add_loc (p, f);
  static const unsigned from[] = {2, 0, 2, 3, 0, 2};
  for (unsigned i = 0; i < 6; i++) ir_edge_at (p, ir_add_edge (p, IR_NOP, l[from[i]], l[0]))->pos.line = i;
  for (unsigned twice = 0; twice < 2; twice++) {
    ir_finish (p);
    static const unsigned lines[] = {1, 4, 0, 2, 5, 3}, counts[] = {2, 0, 3, 1}, firsts[] = {0, 2, 2, 5};
    for (unsigned i = 0; i < 6; i++) assert_int_equal (p->edges.data[i].pos.line, lines[i]);
    for (unsigned i = 0; i < 4; i++) {
      assert_int_equal (ir_loc_at (p, l[i])->num_edges, counts[i]);
      assert_int_equal (ir_loc_at (p, l[i])->first_edge, firsts[i]);
    }
  }
  ir_program_free (p);
}

// Operands may be added to several edges alternately.
static void operand_lists_stay_separate (void **state) {
  (void) state;
  ir_program *p = ir_program_new ();
  ir_proc f = ir_add_proc (p, "f");
  ir_loc l = ir_add_loc (p, f);
  ir_edge a = ir_add_edge (p, IR_CALL, l, l), b = ir_add_edge (p, IR_CALL, l, l);
  for (unsigned i = 0; i < 5; i++) {
    ir_add_arg (p, a, ir_const (p, 32, i));
    ir_add_arg (p, b, ir_const (p, 32, 100 + i));
    ir_add_name_arg (p, a, ir_const (p, 32, 200 + i));
  }
  for (unsigned i = 0; i < 5; i++) {
    assert_true (ir_expr_at (p, ir_arg (p, a, i))->value == i);
    assert_true (ir_expr_at (p, ir_arg (p, b, i))->value == 100 + i);
    assert_true (ir_expr_at (p, p->args.data[ir_edge_at (p, a)->first_name_arg + i])->value == 200 + i);
  }
  ir_program_free (p);
}

static void assumptions_are_listed_once (void **state) {
  (void) state;
  ir_program *p = ir_program_new ();
  ir_assume_in_report (p, "`%s` has no body", "f");
  ir_assume_in_report (p, "`%s` has no body", "g");
  ir_assume_in_report (p, "`%s` has no body", "f");
  assert_int_equal (p->assumptions.count, 2);
  assert_string_equal (p->assumptions.data[1], "`g` has no body");
  ir_program_free (p);
}

static char *text_of (const ir_program *p) {
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream (&text, &size);
  ir_print (p, f);
  fclose (f);
  return text;
}

// A clone prints like its original, and changing the clone does not change the original.
static void clone_is_equal_and_independent (void **state) {
  (void) state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    ir_program *p = random_program (seed), *clone = ir_clone (p);
    char *text = text_of (p), *same = text_of (clone), *error = NULL;
    assert_string_equal (same, text);
    if (!ir_check (clone, &error)) fail_msg ("%s", error);
    ir_add_proc (clone, "added");
    ir_add_arg (clone, (ir_edge){0}, ir_const (clone, 77, 12345));
    ir_program_free (clone);
    char *after = text_of (p);
    assert_string_equal (after, text);
    free (text), free (same), free (after);
    ir_program_free (p);
  }
}

TEST_MAIN (cmocka_unit_test (the_header_example_works), cmocka_unit_test (names_are_copied),
           cmocka_unit_test (finish_sorts_and_keeps_order), cmocka_unit_test (operand_lists_stay_separate),
           cmocka_unit_test (assumptions_are_listed_once), cmocka_unit_test (clone_is_equal_and_independent))
