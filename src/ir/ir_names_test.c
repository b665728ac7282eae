// C paths into objects, and the tables of words.
#include "base/test.h"
#include "ir/random_program_test.h"

static void add_member (ir_program *p, ir_type t, const char *name, uint32_t offset, ir_type type) {
  vec_push (&ir_type_at (p, t)->members, ((ir_member){name, offset, type}));
}

static ir_type add_array (ir_program *p, ir_type element, uint32_t count) {
  ir_type t = ir_add_type (p, IR_T_ARRAY, NULL, ir_type_at (p, element)->size * count);
  ir_type_at (p, t)->target = element;
  ir_type_at (p, t)->count = count;
  return t;
}

static void assert_path (const ir_program *p, ir_type t, uint32_t offset, const char *path) {
  strbuf s = {0};
  strbuf_add (&s, "v");
  ir_type_path (p, t, offset, &s);
  assert_string_equal (strbuf_text (&s) + 1, path);
  strbuf_release (&s);
}

// struct node { int value; union { float f; struct { short lo, hi; } half; }; struct node *next; };
// struct { struct node nodes[4]; char tail[]; }
static void paths (void **state) {
  (void) state;
  ir_program *p = ir_program_new ();
  ir_type i = ir_add_type (p, IR_T_INT, "int", 4), h = ir_add_type (p, IR_T_INT, "short", 2),
          c = ir_add_type (p, IR_T_CHAR, "char", 1);
  ir_type f = ir_add_type (p, IR_T_FLOAT, "float", 4);
  ir_type half = ir_add_type (p, IR_T_STRUCT, NULL, 4), both = ir_add_type (p, IR_T_UNION, NULL, 4);
  add_member (p, half, "lo", 0, h);
  add_member (p, half, "hi", 2, h);
  add_member (p, both, "f", 0, f);
  add_member (p, both, "half", 0, half);
  ir_type node = ir_add_type (p, IR_T_STRUCT, "struct node", 24),
          link = ir_add_type (p, IR_T_POINTER, "struct node *", 8);
  ir_type_at (p, link)->target = node;
  add_member (p, node, "value", 0, i);
  add_member (p, node, NULL, 4, both);
  add_member (p, node, "next", 8, link);
  ir_type whole = ir_add_type (p, IR_T_STRUCT, NULL, 96);
  add_member (p, whole, "nodes", 0, add_array (p, node, 4));
  add_member (p, whole, "tail", 96, add_array (p, c, 0));

  assert_path (p, i, 0, "");
  assert_path (p, (ir_type){IR_NONE}, 8, "");
  assert_path (p, node, 0, ".value");
  assert_path (p, node, 8, ".next");
  assert_path (p, node, 4, ".f");  // through the anonymous union, to the first member that covers the byte
  assert_path (p, both, 2, ".f");
  assert_path (p, half, 2, ".hi");
  assert_path (p, node, 20, "");  // padding
  assert_path (p, whole, 3 * 24 + 8, ".nodes[3].next");
  assert_path (p, whole, 99, ".tail[3]");  // beyond sizeof: the flexible array
  assert_path (p, add_array (p, add_array (p, i, 3), 2), 16, "[1][1]");
  ir_type endless = ir_add_type (p, IR_T_STRUCT, NULL, 4);  // malformed: contains itself; the search must end
  add_member (p, endless, "x", 0, endless);
  strbuf s = {0};
  ir_type_path (p, endless, 0, &s);
  strbuf_release (&s);
  ir_program_free (p);
}

static void tables_match_the_enums (void **state) {
  (void) state;
  assert_string_equal (ir_op_table[IR_EXIT].text, "exit");
  assert_string_equal (ir_op_table[IR_CMPXCHG].text, "cmpxchg");
  assert_string_equal (ir_expr_op_text[IR_X_UITOF], "uitof");
  assert_string_equal (ir_property_name[IR_P_OVERFLOW], "overflow");
  assert_string_equal (ir_order_text[IR_SEQ_CST], "seq_cst");
  assert_string_equal (ir_rmw_text[IR_RMW_FSUB], "fsub");
  assert_string_equal (ir_alloc_text[IR_ALLOC_HEAP_ZEROED], "heap_zeroed");
  assert_string_equal (ir_object_kind_text[IR_O_FUNCTION], "function");
  assert_string_equal (ir_type_kind_text[IR_T_OTHER], "other");
  for (unsigned a = 0; a < IR_NUM_OPS; a++)
    for (unsigned b = 0; b < a; b++) assert_string_not_equal (ir_op_table[a].text, ir_op_table[b].text);
  for (unsigned a = 0; a < IR_NUM_EXPR_OPS; a++)
    for (unsigned b = 0; b < a; b++) assert_string_not_equal (ir_infix_text (a), ir_infix_text (b));
}

static void identifiers (void **state) {
  (void) state;
  assert_true (ir_is_identifier ("x") && ir_is_identifier (".str.1") && ir_is_identifier ("_a$9"));
  assert_false (ir_is_identifier ("") || ir_is_identifier (NULL) || ir_is_identifier ("9a") ||
                ir_is_identifier ("a b") || ir_is_identifier ("a+1"));
}

TEST_MAIN (cmocka_unit_test (paths), cmocka_unit_test (tables_match_the_enums), cmocka_unit_test (identifiers))
