// Compilation databases: words of a command line, paths, both forms of entries, choice of files, broken input.
#define _GNU_SOURCE
#include "front/driver_impl.h"
#include "front/front_test.h"

static void cleans_paths (void **state) {
  (void) state;
  static const char *const cases[][3] = {
      {"/a/b", "c.c", "/a/b/c.c"}, {"/a/b", "../c.c", "/a/c.c"},  {"/a/b", "./x/../c.c", "/a/b/c.c"},
      {"/a/b", "/c.c", "/c.c"},    {"/a//b/", "c.c", "/a/b/c.c"}, {"/a", "../../..", "/"},
      {"/a", ".", "/a"},           {"/a", "..c", "/a/..c"}};
  arena *a = arena_new ();
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_string_equal (compdb_path (a, cases[i][0], cases[i][1]), cases[i][2]);
  arena_free (a);
}

static void check_flags (const translation_unit *s, const char *expected) {
  strbuf text = {0};
  for (uint32_t i = 0; i < s->flags.count; i++) strbuf_printf (&text, "%s%s", i ? " " : "", s->flags.data[i]);
  assert_string_equal (strbuf_text (&text), expected);
  strbuf_release (&text);
}

// Four commands: of a.c, of b.c (whose directory is another one), of an assembly file, and of a.c again.
static void write_database (test_folder *t) {
  strbuf json = {0};
  strbuf_printf (&json,
                 "[{\"directory\": \"%s\", \"file\": \"a.c\", \"arguments\": [\"ccache\", \"gcc\", \"-DA=1\", \"-o\", "
                 "\"a.o\", \"-c\", \"a.c\","
                 " \"-MD\", \"-MF\", \"a.d\", \"-Iinclude\"]},\n"
                 " {\"directory\": \"..\", \"file\": \"%s/b.c\", \"command\": \"gcc '-DB=x y' -Wp,-MD,b.d -O2 -c "
                 "%s/b.c -ob.o\"},\n"
                 " {\"directory\": \"%s\", \"file\": \"start.S\", \"command\": \"gcc -c start.S\"},\n"
                 " {\"directory\": \"%s\", \"file\": \"./a.c\", \"command\": \"gcc -DSECOND -c ./a.c\"}]\n",
                 t->path, t->path, t->path, t->path, t->path);
  test_text (t, "compile_commands.json", strbuf_text (&json));
  strbuf_release (&json);
}

static void reads_both_forms (void **state) {
  (void) state;
  test_folder t;
  test_folder_init (&t);
  test_text (&t, "a.c", "int a;\n");
  test_text (&t, "b.c", "int b;\n");
  write_database (&t);
  front_options options = {.build_dir = t.path};
  vec_push (&options.clang_flags, "-DUSER");
  compile_database db = {0};
  source_list sources = {0};
  flags_left_out left_out = {0};
  test_capture capture = test_capture_begin ();
  bool good = compdb_read (&db, t.path) && compdb_sources (&db, &options, &left_out, &sources);
  strbuf said = {0};
  test_capture_end (capture, &said);
  assert_true (good);
  assert_int_equal (sources.count, 2);
  check_flags (&sources.data[0], "-DA=1 -Iinclude -DUSER");
  check_flags (&sources.data[1], "-DB=x y -DUSER");
  assert_string_equal (sources.data[0].directory, t.path);
  assert_string_equal (sources.data[0].file, "a.c");
  assert_says (&said, "`start.S` is not C");
  assert_says (&said, "more than once");
  source_list_release (&sources);
  flags_report_left_out (&left_out);
  compdb_release (&db);
  vec_release (&options.clang_flags);
  strbuf_release (&said);
  test_folder_release (&t);
}

static void chooses_the_named_files (void **state) {
  (void) state;
  test_folder t;
  test_folder_init (&t);
  const char *a = test_text (&t, "a.c", "int a;\n");
  test_text (&t, "b.c", "int b;\n");
  const char *other = test_text (&t, "other.c", "int c;\n");
  write_database (&t);
  front_options options = {.build_dir = t.path};
  vec_push (&options.files, a);
  compile_database db = {0};
  source_list sources = {0};
  flags_left_out left_out = {0};
  assert_true (compdb_read (&db, t.path) && compdb_sources (&db, &options, &left_out, &sources));
  assert_int_equal (sources.count, 1);
  check_flags (&sources.data[0], "-DA=1 -Iinclude");
  vec_push (&options.files, other);
  strbuf said = {0};
  test_capture capture = test_capture_begin ();
  bool good = compdb_sources (&db, &options, &left_out, &sources);
  test_capture_end (capture, &said);
  assert_false (good);
  assert_says (&said, "other.c` is not in `");
  source_list_release (&sources);
  flags_report_left_out (&left_out);
  compdb_release (&db);
  vec_release (&options.files);
  strbuf_release (&said);
  test_folder_release (&t);
}

static void refuses_broken_input (void **state) {
  (void) state;
  static const char *const cases[][2] = {{"", "error:"},
                                         {"[{]", ":1:"},
                                         {"{}", "should be an array"},
                                         {"[1]", "entry 1 should be an object"},
                                         {"[{\"command\": \"cc a.c\"}]", "should have a string \"file\""},
                                         {"[{\"file\": \"a.c\", \"directory\": \"/\"}]", "should have \"arguments\""},
                                         {"[{\"file\": \"a.c\", \"arguments\": [\"cc\", 7]}]", "only strings"}};
  strbuf said = {0};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    test_folder t;
    test_folder_init (&t);
    test_text (&t, "compile_commands.json", cases[i][0]);
    compile_database db = {0};
    test_capture capture = test_capture_begin ();
    bool good = compdb_read (&db, t.path);
    test_capture_end (capture, &said);
    assert_false (good);
    assert_says (&said, cases[i][1]);
    compdb_release (&db);
    test_folder_release (&t);
  }
  compile_database db = {0};
  test_capture capture = test_capture_begin ();
  bool good = compdb_read (&db, "no-such-folder");
  test_capture_end (capture, &said);
  assert_false (good);
  assert_says (&said, "cannot open `no-such-folder/compile_commands.json`: No such file or directory");
  compdb_release (&db);
  strbuf_release (&said);
}

// A command that only lists dependencies, or that clang starts itself, is no way to compile a file.
static void takes_commands_that_make_code (void **state) {
  (void) state;
  test_folder t;
  test_folder_init (&t);
  test_text (&t, "a.c", "int main (void) { return 0; }");
  test_text (&t, "compile_commands.json",
             "[{\"file\": \"a.c\", \"arguments\": [\"clang\", \"-cc1\", \"-Eonly\", \"a.c\"]},"
             " {\"file\": \"a.c\", \"arguments\": [\"cc\", \"-MM\", \"a.c\"]},"
             " {\"file\": \"a.c\", \"arguments\": [\"cc\", \"-DGOOD\", \"-MD\", \"-c\", \"a.c\"]}]");
  front_options options = {.build_dir = t.path};
  compile_database db = {0};
  source_list sources = {0};
  flags_left_out left_out = {0};
  assert_true (compdb_read (&db, t.path) && compdb_sources (&db, &options, &left_out, &sources));
  assert_int_equal (sources.count, 1);
  check_flags (&sources.data[0], "-DGOOD");
  source_list_release (&sources);
  flags_report_left_out (&left_out);
  compdb_release (&db);
  test_folder_release (&t);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (cleans_paths), cmocka_unit_test (reads_both_forms), cmocka_unit_test (chooses_the_named_files),
      cmocka_unit_test (refuses_broken_input), cmocka_unit_test (takes_commands_that_make_code)};
  return cmocka_run_group_tests (tests, NULL, NULL);
}
