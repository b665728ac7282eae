// The driver's parts: flags, bad files, linking, and which definition wins over a library model.
#define _GNU_SOURCE
#include <sys/types.h>

#include "front/driver_impl.h"
#include "front/front_test.h"

typedef struct fixture {
  test_folder folder;
  LLVMContextRef context;
  llvm_messages messages;
  source_list sources;
  strbuf said;
} fixture;

static void fixture_init (fixture *f) {
  *f = (fixture){0};
  test_folder_init (&f->folder);
  f->context = LLVMContextCreate ();
  module_catch_messages (f->context, &f->messages);
}

static void fixture_release (fixture *f) {
  source_list_release (&f->sources);
  LLVMContextDispose (f->context);
  strbuf_release (&f->messages.text);
  strbuf_release (&f->said);
  test_folder_release (&f->folder);
}

static void add (fixture *f, const char *name, const void *bytes, size_t size) {
  translation_unit s = {
      .file = test_file (&f->folder, name, bytes, size), .kind = source_kind_of (name), .output = -1, .errors = -1};
  vec_push (&f->sources, s);
}

static LLVMModuleRef read_last (fixture *f, bool ilp32) {
  front_options options = {.ilp32 = ilp32};
  test_capture capture = test_capture_begin ();
  source_list last = {&vec_last (&f->sources), 1, 1};
  bool good = clang_compile (&last, &options);
  LLVMModuleRef module = good ? module_read (f->context, &vec_last (&f->sources), &f->messages) : NULL;
  test_capture_end (capture, &f->said);
  return module;
}

static LLVMModuleRef compile (fixture *f, const char *name, const char *text, bool ilp32) {
  add (f, name, text, strlen (text));
  return read_last (f, ilp32);
}

static void drops_output_flags (void **state) {
  (void) state;
  static const char *const words[] = {
      "-DX",          "-o",  "x.o", "-oy.o",   "-c", "-MD",   "-MF", "x.d", "-MFy.d", "-save-temps=obj",
      "-Wp,-MMD,x.d", "-O2", "-I",  "include", "-S", "-Wall", "--",  "-MT", "x"};
  word_list flags = {0};
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++) vec_push (&flags, words[i]);
  clang_drop_output_flags (&flags);
  static const char *const left[] = {"-DX", "-O2", "-I", "include", "-Wall"};
  assert_int_equal (flags.count, 5);
  for (unsigned i = 0; i < 5; i++) assert_string_equal (flags.data[i], left[i]);
  vec_clear (&flags);
  vec_push (&flags, "-o");  // its argument is missing
  clang_drop_output_flags (&flags);
  assert_int_equal (flags.count, 0);
  vec_release (&flags);
}

static void refuses_bad_files (void **state) {
  (void) state;
  static const struct {
    const char *name, *text, *message;
  } cases[] = {
      {"syntax.c", "int main (void) { return 1", "expected"},
      {"junk.bc", "this is no bitcode at all", "not valid LLVM bitcode"},
      {"empty.bc", "", "not valid LLVM bitcode"},
      {"undefined.ll", "define i32 @main() {\n  ret i32 %x\n}\n", "undefined.ll:2:11: error: use of undefined value"},
      {"order.ll", "define i32 @main() {\n  %x = add i32 %y, 1\n  %y = add i32 1, 1\n  ret i32 0\n}\n",
       "not a valid LLVM module"},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    fixture f;
    fixture_init (&f);
    assert_null (compile (&f, cases[i].name, cases[i].text, false));
    assert_says (&f.said, cases[i].message);
    fixture_release (&f);
  }
}

// A truncated bitcode file is an error, never a crash.
static void survives_truncated_bitcode (void **state) {
  (void) state;
  fixture f;
  fixture_init (&f);
  LLVMModuleRef whole = compile (&f, "whole.c", "int x; int main (void) { return x; }\n", false);
  assert_non_null (whole);
  LLVMDisposeModule (whole);
  size_t size = f.sources.data[0].bitcode_size;
  for (size_t length = 0; length < size; length += size / 40 + 1) {
    add (&f, "part.bc", f.sources.data[0].bitcode, length);
    assert_null (read_last (&f, false));
    assert_says (&f.said, "part.bc: error: not valid LLVM bitcode");
  }
  fixture_release (&f);
}

static void links_files (void **state) {
  (void) state;
  fixture f;
  fixture_init (&f);
  LLVMModuleRef a = compile (&f, "a.c", "int f (void); int main (void) { return f (); }\n", false);
  LLVMModuleRef b = compile (&f, "b.c", "int f (void) { return 1; }\n", false);
  LLVMModuleRef twice = compile (&f, "c.i", "int f (void) { return 2; }\n", false);
  LLVMModuleRef small = compile (&f, "d.c", "int g;\n", true);
  assert_true (a && b && twice && small);
  assert_false (module_defines (a, "f"));
  assert_true (module_link (a, b, "b.c", &f.messages));
  assert_true (module_defines (a, "f"));
  test_capture capture = test_capture_begin ();
  bool linked = module_link (a, twice, "c.i", &f.messages);
  bool mixed = module_link (a, small, "d.c", &f.messages);
  test_capture_end (capture, &f.said);
  assert_false (linked);
  assert_false (mixed);
  assert_says (&f.said, "c.i: error: cannot link:");
  assert_says (&f.said, "'f'");
  assert_says (&f.said, "d.c: error: its data layout");
  LLVMDisposeModule (a);
  fixture_release (&f);
}

// Linking keeps the type of a function that is only declared, in whichever file it is called.
static void keeps_types_of_declarations (void **state) {
  (void) state;
  fixture f;
  fixture_init (&f);
  LLVMModuleRef a = compile (&f, "a.c", "int f (void); int main (void) { return f (); }\n", false);
  LLVMModuleRef b = compile (&f, "b.c", "struct s { int x; } *get (void); int f (void) { return get ()->x; }\n", false);
  assert_true (a && b);
  assert_true (module_link (a, b, "b.c", &f.messages));
  ir_program *p = ir_program_new ();
  debug_info *d = debug_new (a, p);
  ir_type pointer = debug_result_type (d, LLVMGetNamedFunction (a, "get"));
  assert_int_not_equal (pointer.i, IR_NONE);
  assert_string_equal (ir_type_at (p, pointer)->name, "struct s *");
  assert_string_equal (ir_type_at (p, debug_result_type (d, LLVMGetNamedFunction (a, "f")))->name, "int");
  debug_free (d);
  ir_program_free (p);
  LLVMDisposeModule (a);
  fixture_release (&f);
}

static bool is_model (LLVMModuleRef module, const char *name) {
  LLVMValueRef f = LLVMGetNamedFunction (module, name);
  assert_non_null (f);
  assert_false (LLVMIsDeclaration (f));
  return LLVMGetStringAttributeAtIndex (f, (LLVMAttributeIndex) LLVMAttributeFunctionIndex, INTERNAL_MARK,
                                        strlen (INTERNAL_MARK)) != NULL;
}

static void user_definitions_win (void **state) {
  (void) state;
  for (int ilp32 = 0; ilp32 < 2; ilp32++) {
    fixture f;
    fixture_init (&f);
    LLVMModuleRef m =
        compile (&f, "m.c",
                 "int pthread_mutex_lock (); char *strcpy (char *a, const char *b) { return a; }\n"
                 "int main (void) { char c[4]; strcpy (c, \"x\"); return pthread_mutex_lock ((void *) 0); }\n",
                 ilp32);
    assert_non_null (m);
    assert_true (models_link (m, "m.c", &f.messages));
    assert_true (is_model (m, "pthread_mutex_lock"));
    assert_false (is_model (m, "strcpy"));
    assert_false (is_model (m, "main"));
    assert_null (LLVMGetNamedFunction (m, "pthread_barrier_wait"));  // the program does not use it
    LLVMDisposeModule (m);
    fixture_release (&f);
  }
}

static void refuses_other_machines (void **state) {
  (void) state;
  fixture f;
  fixture_init (&f);
  LLVMModuleRef m =
      compile (&f, "big.ll", "target datalayout = \"E-p:64:64\"\ndefine i32 @main() {\n  ret i32 0\n}\n", false);
  assert_non_null (m);
  test_capture capture = test_capture_begin ();
  bool linked = models_link (m, "big.ll", &f.messages);
  test_capture_end (capture, &f.said);
  assert_false (linked);
  assert_says (&f.said, "compiled for another machine");
  LLVMDisposeModule (m);
  fixture_release (&f);
}

// Unknown flags of a database are dropped; an unknown flag of the user is an error.
static void drops_refused_flags_of_databases (void **state) {
  (void) state;
  for (int lenient = 0; lenient < 2; lenient++) {
    fixture f;
    fixture_init (&f);
    static const char text[] = "int main (void) { return VALUE; }\n";
    add (&f, "a.c", text, strlen (text));
    translation_unit *s = &vec_last (&f.sources);
    s->is_lenient = lenient;
    vec_push (&s->flags, "-fno-such-flag");
    vec_push (&s->flags, "-DVALUE=7");
    LLVMModuleRef m = read_last (&f, false);
    if (lenient) assert_non_null (m);
    else {
      assert_null (m);
      assert_says (&f.said, "unknown argument: '-fno-such-flag'");
    }
    if (m) LLVMDisposeModule (m);
    fixture_release (&f);
  }
}

static void says_what_is_missing (void **state) {
  (void) state;
  strbuf said = {0};
  test_capture capture = test_capture_begin ();
  bool readable = source_is_readable ("no-such-file.c");
  test_capture_end (capture, &said);
  assert_false (readable);
  assert_string_equal (strbuf_text (&said),
                       "lockstep: error: cannot open `no-such-file.c`: No such file or directory\n");
  fixture f;
  fixture_init (&f);
  char *path = getenv ("PATH") ? strdup (getenv ("PATH")) : NULL;
  setenv ("PATH", "/no-such-folder", 1);
  LLVMModuleRef m = compile (&f, "a.c", "int x;\n", false);
  if (path) setenv ("PATH", path, 1);
  else unsetenv ("PATH");
  free (path);
  assert_null (m);
  assert_says (&f.said, "install the package clang-19");
  fixture_release (&f);
  strbuf_release (&said);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (drops_output_flags),
                                     cmocka_unit_test (refuses_bad_files),
                                     cmocka_unit_test (survives_truncated_bitcode),
                                     cmocka_unit_test (links_files),
                                     cmocka_unit_test (user_definitions_win),
                                     cmocka_unit_test (refuses_other_machines),
                                     cmocka_unit_test (keeps_types_of_declarations),
                                     cmocka_unit_test (says_what_is_missing),
                                     cmocka_unit_test (drops_refused_flags_of_databases)};
  return cmocka_run_group_tests (tests, NULL, NULL);
}
