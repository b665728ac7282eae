// Checks what is read from the debug information of a compiled file: types of globals, names of values, positions.
#define _GNU_SOURCE
#include "front/debug_impl.h"
#include "front/driver_impl.h"
#include "front/front_test.h"

static const char text[] =
    "struct node { struct node *next; int v : 3, w : 7; char c; };\n"
    "typedef struct { int x; union { float f; unsigned char u; }; struct node nodes[2]; } box;\n"
    "enum color { RED, GREEN }; struct later; typedef int number; typedef int (*callback) (int);\n"
    "struct node *list; box b; int grid[2][3]; enum color c; _Bool flag; char letter; unsigned long big;\n"
    "struct later *hidden; const volatile number *cv; callback call; double d; void *any;\n"
    "int f (int first, box by_value) {\n"
    "  static int calls = 0;\n"
    "  int local[4]; int sum = first + calls;\n"
    "  local[1] = sum; list = (void *) local;\n"
    "  return local[1] + by_value.x;\n"
    "}\n";

typedef struct fixture {
  test_folder folder;
  LLVMContextRef context;
  llvm_messages messages;
  LLVMModuleRef module;
  ir_program *program;
  debug_info *debug;
} fixture;

static void fixture_init (fixture *f, const char *source_text) {
  *f = (fixture){0};
  test_folder_init (&f->folder);
  f->context = LLVMContextCreate ();
  module_catch_messages (f->context, &f->messages);
  front_options options = {0};
  source_list sources = {0};
  translation_unit s = {
      .file = test_text (&f->folder, "t.c", source_text), .kind = SOURCE_C, .output = -1, .errors = -1};
  vec_push (&sources, s);
  assert_true (clang_compile (&sources, &options));
  f->module = module_read (f->context, &sources.data[0], &f->messages);
  assert_non_null (f->module);
  source_list_release (&sources);
  passes_run (f->module, false, false);
  f->program = ir_program_new ();
  f->debug = debug_new (f->module, f->program);
}

static void fixture_release (fixture *f) {
  debug_free (f->debug);
  ir_program_free (f->program);
  LLVMDisposeModule (f->module);
  LLVMContextDispose (f->context);
  strbuf_release (&f->messages.text);
  test_folder_release (&f->folder);
}

static const ir_type_data *global_type (fixture *f, const char *name) {
  ir_type type = debug_global_type (f->debug, LLVMGetNamedGlobal (f->module, name));
  assert_int_not_equal (type.i, IR_NONE);
  return ir_type_at (f->program, type);
}

static const ir_type_data *at (fixture *f, ir_type type) {
  assert_true (type.i < f->program->types.count);
  return ir_type_at (f->program, type);
}

static void scalars (void **state) {
  (void) state;
  static const struct {
    const char *global;
    ir_type_kind kind;
    const char *name;
    uint32_t size;
  } cases[] = {{"flag", IR_T_BOOL, "_Bool", 1},
               {"letter", IR_T_CHAR, "char", 1},
               {"big", IR_T_UINT, "unsigned long", 8},
               {"d", IR_T_FLOAT, "double", 8},
               {"c", IR_T_UINT, "enum color", 4},
               {"cv", IR_T_POINTER, "int *", 8},
               {"any", IR_T_POINTER, "void *", 8},
               {"call", IR_T_POINTER, "function *", 8},
               {"hidden", IR_T_POINTER, "struct later *", 8},
               {"list", IR_T_POINTER, "struct node *", 8}};
  fixture f;
  fixture_init (&f, text);
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    const ir_type_data *t = global_type (&f, cases[i].global);
    assert_int_equal (t->kind, cases[i].kind);
    assert_string_equal (t->name, cases[i].name);
    assert_int_equal (t->size, cases[i].size);
  }
  fixture_release (&f);
}

static void aggregates (void **state) {
  (void) state;
  fixture f;
  fixture_init (&f, text);
  const ir_type_data *pointer = global_type (&f, "list"), *node = at (&f, pointer->target);
  assert_int_equal (node->kind, IR_T_STRUCT);
  assert_int_equal (node->members.count, 4);
  assert_ptr_equal (at (&f, at (&f, node->members.data[0].type)->target), node);  // struct node points to itself
  assert_string_equal (node->members.data[2].name, "w");
  assert_int_equal (node->members.data[2].offset, 8);
  assert_int_equal (at (&f, node->members.data[2].type)->size, 2);  // bits 3 to 9 lie in two bytes
  assert_string_equal (node->members.data[3].name, "c");
  assert_int_equal (node->members.data[3].offset, 10);
  const ir_type_data *b = global_type (&f, "b");
  assert_string_equal (b->name, "box");
  assert_null (b->members.data[1].name);
  assert_int_equal (at (&f, b->members.data[1].type)->kind, IR_T_UNION);
  const ir_type_data *grid = global_type (&f, "grid"), *row = at (&f, grid->target);
  assert_string_equal (grid->name, "int [2][3]");
  assert_int_equal (grid->count, 2);
  assert_int_equal (grid->size, 24);
  assert_int_equal (row->count, 3);
  assert_int_equal (row->size, 12);
  strbuf path = {0};
  ir_type_path (f.program, debug_global_type (f.debug, LLVMGetNamedGlobal (f.module, "b")), 8 + 16 + 10, &path);
  assert_string_equal (strbuf_text (&path), ".nodes[1].c");
  strbuf_release (&path);
  fixture_release (&f);
}

static void names_and_positions (void **state) {
  (void) state;
  fixture f;
  fixture_init (&f, text);
  LLVMValueRef function = LLVMGetNamedFunction (f.module, "f");
  assert_string_equal (debug_value_name (f.debug, LLVMGetParam (function, 0)), "first");
  assert_string_equal (debug_value_name (f.debug, LLVMGetNamedGlobal (f.module, "f.calls")), "calls");
  assert_int_equal (debug_function_position (f.debug, function).line, 6);
  assert_int_equal (debug_global_position (f.debug, LLVMGetNamedGlobal (f.module, "grid")).line, 4);
  unsigned locals = 0, sums = 0, stores = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock (function); b; b = LLVMGetNextBasicBlock (b))
    for (LLVMValueRef i = LLVMGetFirstInstruction (b); i; i = LLVMGetNextInstruction (i)) {
      const char *name = debug_value_name (f.debug, i);
      if (name && !strcmp (name, "local")) {
        locals++;
        assert_string_equal (at (&f, debug_alloca_type (f.debug, i))->name, "int [4]");
      }
      if (name && !strcmp (name, "sum") && LLVMGetInstructionOpcode (i) == LLVMAdd) sums++;
      if (LLVMGetInstructionOpcode (i) != LLVMStore) continue;
      ir_position p = debug_position (f.debug, i);
      strbuf file = {0};
      strbuf_printf (&file, "%s/t.c", f.folder.path);
      assert_string_equal (p.file, strbuf_text (&file));
      assert_int_equal (p.line, 9);
      assert_true (p.column == 12 || p.column == 24);
      strbuf_release (&file);
      stores++;
    }
  assert_int_equal (locals, 1);
  assert_int_equal (sums, 1);
  assert_int_equal (stores, 2);
  fixture_release (&f);
}

// In a module without debug information everything is unknown, and nothing crashes.
static void nothing_known (void **state) {
  (void) state;
  fixture f;
  fixture_init (&f, text);
  LLVMStripModuleDebugInfo (f.module);
  debug_info *bare = debug_new (f.module, f.program);
  LLVMValueRef b = LLVMGetNamedGlobal (f.module, "b"), function = LLVMGetNamedFunction (f.module, "f");
  assert_int_equal (debug_global_type (bare, b).i, IR_NONE);
  assert_null (debug_global_position (bare, b).file);
  assert_null (debug_function_position (bare, function).file);
  assert_null (debug_position (bare, LLVMGetFirstInstruction (LLVMGetEntryBasicBlock (function))).file);
  assert_null (debug_value_name (bare, LLVMGetParam (function, 0)));
  value_list indices = {0};
  assert_string_equal (lvalue_name (bare, b, &indices), "b");
  debug_free (bare);
  fixture_release (&f);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (scalars), cmocka_unit_test (aggregates),
                                     cmocka_unit_test (names_and_positions), cmocka_unit_test (nothing_known)};
  return cmocka_run_group_tests (tests, NULL, NULL);
}
