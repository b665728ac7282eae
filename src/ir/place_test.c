// Names of places, labels after ir_simplify, and the accesses that ir_add_pair adds.
#include <stdlib.h>

#include "base/test.h"
#include "ir/ir.h"

static ir_program *must_parse (const char *text) {
  char *error = NULL;
  ir_program *p = ir_parse (text, "t.ir", &error);
  if (!p || !ir_check (p, &error)) fail_msg ("%s", error);
  return p;
}

// f: L0 and L1 are line 3, L2 has the label `here` and line 4 of another file.  g: the same label.
static const char two_procedures[] = "lockstep-ir 1 pointer_bits 64 offset_bits 32 file \"dir/a.c\" file \"b.c\"\n"
                                     "global #1 x : 8 bytes function #2 f : 0 bytes function #3 g : 0 bytes start &f\n"
                                     "proc f = #2 () @\"dir/a.c\":1:1 entry L0 { regs r0:32 L0: r0 = load.4 &x @3:1 -> "
                                     "L1 L1: store.4 &x, r0 @3:5 -> L2\n"
                                     "L2 \"here\": call &g @\"b.c\":4:1 -> L3 L3: exit 0:32 @5:1 }\n"
                                     "proc g = #3 () @\"b.c\":7:1 entry L4 { L4 \"here\": return @7:1 }\n";

static uint32_t count_at (const ir_program *p, const char *place) {
  uint32_t count = 0;
  for (uint32_t l = 0; l < p->locs.count; l++) count += ir_loc_is_at (p, (ir_loc){l}, place);
  return count;
}

static void places_have_names (void **state) {
  (void) state;
  ir_program *p = must_parse (two_procedures);
  assert_int_equal (count_at (p, "3"), 2);
  assert_int_equal (count_at (p, "a.c:3"), 2);
  assert_int_equal (count_at (p, "dir/a.c:3"), 2);
  assert_int_equal (count_at (p, "c.c:3"), 0);
  assert_int_equal (count_at (p, "4"), 0);  // a number alone is a line of the first file
  assert_int_equal (count_at (p, "b.c:4"), 1);
  assert_int_equal (count_at (p, "here"), 2);
  assert_int_equal (count_at (p, "g:here"), 1);
  assert_int_equal (count_at (p, "h:here"), 0);
  assert_int_equal (count_at (p, "her"), 0);
  ir_program_free (p);
}

static uint32_t count_accesses (const ir_program *p, ir_op op, ir_order order) {
  uint32_t count = 0;
  for (uint32_t e = 0; e < p->edges.count; e++)
    count += ir_edge_is_place (p, (ir_edge){e}) && p->edges.data[e].op == op && p->edges.data[e].order == order;
  return count;
}

static ir_program *with_pair (const char *places) {
  ir_program *p = must_parse (two_procedures);
  char *error = NULL;
  if (!ir_add_pair (p, places, &error) || !ir_check (p, &error)) fail_msg ("%s", error);
  return p;
}

static void a_pair_conflicts_with_itself_only (void **state) {
  (void) state;
  ir_program *p = with_pair ("3,here");
  assert_int_equal (count_accesses (p, IR_LOAD, IR_PLAIN), 1);     // before the first operation of the line
  assert_int_equal (count_accesses (p, IR_STORE, IR_RELAXED), 2);  // at both labels
  for (uint32_t e = 0; e < p->edges.count; e++)
    if (p->edges.data[e].bytes && !ir_edge_is_place (p, (ir_edge){e}))
      assert_int_equal (p->edges.data[e].order, IR_RELAXED);
  ir_edge first = {ir_loc_at (p, ir_proc_at (p, p->start)->entry)->first_edge};
  assert_true (ir_edge_is_place (p, first));
  assert_string_equal (ir_edge_at (p, first)->name, "3");
  assert_int_equal (ir_edge_at (p, first)->pos.line, 3);
  ir_program_free (p);
}

// If both places are the same, a thread executes the load of the first and is then at the store of the second.
static void one_place_can_be_both (void **state) {
  (void) state;
  ir_program *p = with_pair ("g:here,g:here");
  ir_loc at = ir_proc_at (p, (ir_proc){1})->entry;
  for (unsigned k = 0; k < 2; k++) {
    const ir_edge_data *d = &p->edges.data[ir_loc_at (p, at)->first_edge];
    assert_int_equal (d->op, k ? IR_STORE : IR_LOAD);
    at = d->to;
  }
  assert_int_equal (p->edges.data[ir_loc_at (p, at)->first_edge].op, IR_RETURN);
  ir_program_free (p);
}

static void wrong_places_are_refused (void **state) {
  (void) state;
  static const char *const wrong[] = {"here", "here,", ",here", "a,b,c", "here,99", "here,there"};
  for (unsigned k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    ir_program *p = must_parse (two_procedures);
    char *error = NULL;
    assert_false (ir_add_pair (p, wrong[k], &error));
    assert_non_null (error);
    free (error);
    ir_program_free (p);
  }
}

// ---- labels in ir_simplify -----------------------------------------------------------------------------------------

static const char *label_of (const ir_program *p, ir_op op) {
  for (uint32_t e = 0; e < p->edges.count; e++)
    if (p->edges.data[e].op == op) return ir_loc_at (p, p->edges.data[e].from)->label;
  return NULL;
}

#define PROGRAM(LINES)                                                                                    \
  "lockstep-ir 1 pointer_bits 64 offset_bits 32 global #1 x : 4 bytes function #2 f : 0 bytes start &f\n" \
  "proc f = #2 () entry L0 { regs r0:32\n" LINES "}\n"

static void a_label_moves_to_what_takes_its_place (void **state) {
  (void) state;
  ir_program *p = must_parse (
      PROGRAM ("L0 \"here\": nop -> L1 L1: r0 = assign 7:32 -> L2 L2: store.4 &x, 1:32 -> L3 L3: exit 0:32"));
  ir_simplify (p);
  assert_string_equal (label_of (p, IR_STORE), "here");
  assert_int_equal (count_at (p, "here"), 1);
  ir_program_free (p);
}

// A label does not move along a nop to a location with other incoming edges: threads that arrive there on these edges
// were not at the label.
static void a_label_on_one_path_stays_there (void **state) {
  (void) state;
  ir_program *p =
      must_parse (PROGRAM ("L0: r0 = load.4 &x -> L1 L1: assume (r0 == 0:32) -> L2 L1: assume (r0 != 0:32) -> L3\n"
                           "L2 \"here\": nop -> L3 L3: store.4 &x, 1:32 -> L4 L4: exit 0:32"));
  ir_simplify (p);
  assert_string_equal (label_of (p, IR_NOP), "here");
  assert_null (label_of (p, IR_STORE));
  ir_program_free (p);
}

static void two_labels_stay_two (void **state) {
  (void) state;
  ir_program *p = must_parse (
      PROGRAM ("L0 \"here\": nop -> L1 L1 \"there\": nop -> L2 L2: store.4 &x, 1:32 -> L3 L3 \"end\": nop -> L3"));
  ir_simplify (p);
  assert_string_equal (label_of (p, IR_NOP), "here");
  assert_string_equal (label_of (p, IR_STORE), "there");
  assert_int_equal (count_at (p, "end"), 1);
  ir_program_free (p);
}

TEST_MAIN (cmocka_unit_test (places_have_names), cmocka_unit_test (a_pair_conflicts_with_itself_only),
           cmocka_unit_test (one_place_can_be_both), cmocka_unit_test (wrong_places_are_refused),
           cmocka_unit_test (a_label_moves_to_what_takes_its_place), cmocka_unit_test (a_label_on_one_path_stays_there),
           cmocka_unit_test (two_labels_stay_two))
