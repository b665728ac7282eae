// Witnesses: what the text of a program says about positions, and the two formats for a small race.
// tests/cli/witness.sh validates witnesses of real runs.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/test.h"
#include "report/report_sample.h"
#include "report/witness_impl.h"

typedef struct program {
  arena *arena;
  char path[32];
  report_input input;
  witness_files files;
} program;

static void program_init (program *p, const char *text) {
  *p = (program){.arena = arena_new (), .path = "lockstep_witness_XXXXXX"};
  int fd = mkstemp (p->path);
  assert_true (fd >= 0);
  assert_int_equal (write (fd, text, strlen (text)), (ssize_t) strlen (text));
  close (fd);
  vec_push (&p->input.files, p->path);
  witness_files_load (p->arena, &p->input, &p->files);
}

static void program_release (program *p) {
  unlink (p->path);
  witness_files_release (&p->files);
  vec_release (&p->input.files);
  arena_free (p->arena);
}

static witness_place place (const program *p, uint32_t line, uint32_t column) {
  return (witness_place){&p->files.data[0], line, column};
}

static void statements_begin (void **state) {
  (void) state;
  static const char text[] = "void f (void) {\n"
                             "  a = 1; b = g (c, \";\") + d;\n"
                             "  if (a == 1) b = 2;\n"
                             "  while (a) b++;\n"
                             "  g (a,\n"
                             "     b);\n"
                             "  else c++;\n"
                             "  for (i = 0; i < 3; i++) a++;\n"
                             "  if (a)\n"
                             "    b = a;\n"
                             "}\n";
  static const struct {
    uint32_t line, column, start;
  } cases[] = {{2, 3, 3}, {2, 7, 3}, {2, 28, 10}, {3, 7, 3},   {3, 15, 15}, {4, 10, 0}, {4, 13, 13}, {5, 6, 3},
               {6, 6, 0}, {7, 8, 8}, {8, 15, 0},  {8, 27, 27}, {10, 9, 5},  {2, 0, 0},  {2, 99, 0},  {99, 1, 0}};
  program p;
  program_init (&p, text);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    witness_place at = place (&p, cases[i].line, cases[i].column);
    assert_int_equal (witness_statement (&at), cases[i].start);
  }
  program_release (&p);
}

static void calls_end (void **state) {
  (void) state;
  program p;
  program_init (&p, "  x = f (g (1), \")\") + h ();\n  y = ff (2) + f (\n");
  static const struct {
    uint32_t line, column;
    const char *called;
    uint32_t end;
  } cases[] = {{1, 7, "f", 20}, {1, 1, "g", 14}, {1, 7, NULL, 20}, {1, 21, NULL, 27},
               {1, 12, "f", 0}, {2, 1, "f", 0},  {2, 1, NULL, 12}, {3, 1, "f", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    witness_place at = place (&p, cases[i].line, cases[i].column);
    assert_int_equal (witness_call_end (&at, cases[i].called), cases[i].end);
  }
  program_release (&p);
}

// Compared with counting from the first parenthesis.
static void calls_end_in_random_text (void **state) {
  (void) state;
  rng r = {5};
  for (int round = 0; round < 100; round++) {
    char text[24] = "f";
    unsigned length = 2 + rng_below (&r, sizeof text - 4);
    for (unsigned i = 1; i < length; i++) text[i] = "() +"[i == 1 ? 0 : rng_below (&r, 4)];
    uint32_t expected = 0;
    int depth = 0;
    for (uint32_t i = 1; i < length && !expected; i++) {
      depth += (text[i] == '(') - (text[i] == ')');
      if (!depth) expected = i + 1;
    }
    program p;
    program_init (&p, text);
    witness_place at = place (&p, 1, 1);
    assert_int_equal (witness_call_end (&at, "f"), expected);
    program_release (&p);
  }
}

static void preprocessed_lines (void **state) {
  (void) state;
  program p;
  program_init (
      &p,
      "int before;\n# 1 \"dir/a.c\"\none\ntwo\n# 40 \"/usr/include/h.h\" 1 3\nhead\n# 3 \"dir/a.c\" 2\nthree\nfour\n");
  static const struct {
    const char *file;
    uint32_t line, found;
  } cases[] = {{"dir/a.c", 1, 3}, {"dir/a.c", 2, 4}, {"dir/a.c", 3, 8}, {"a.c", 4, 9},
               {"dir/a.c", 9, 0}, {"b.c", 1, 0},     {"h.h", 40, 6},    {"h.h", 41, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    witness_place found = {0};
    bool good = witness_place_find (&p.files, (ir_position){cases[i].file, cases[i].line, 1}, &found);
    assert_int_equal (good, cases[i].found != 0);
    assert_int_equal (found.line, cases[i].found);
  }
  witness_place own;
  assert_true (witness_place_find (&p.files, (ir_position){p.path, 1, 1}, &own));
  assert_int_equal (own.line, 1);
  program_release (&p);
}

// ---- whole witnesses ----------------------------------------------------------------------------------

static char sample_path[] = "lockstep_witness_sample_XXXXXX";

// The sample of the other writers, in a file that exists, with options.
static void race_init (sample *s, const char *name) {
  sample_init (s);
  strcpy (sample_path, "lockstep_witness_sample_XXXXXX");
  int fd = mkstemp (sample_path);
  assert_true (fd >= 0);
  for (int line = 1; line <= 22; line++) assert_int_equal (write (fd, "  f ();\n", 8), 8);
  close (fd);
  s->input.files.data[0] = sample_path;
  goal *g = &s->verdict.goals.data[0];
  for (uint32_t i = 0; i < g->steps.count; i++) g->steps.data[i].pos.file = sample_path;
  for (uint32_t i = 0; i < g->locations.count; i++) g->locations.data[i].pos.file = sample_path;
  vec_push (&s->input.options, ((report_option){.name = "witness", .kind = REPORT_TEXT, .text = name}));
  setenv ("SOURCE_DATE_EPOCH", "0", 1);
}

static void race_release (sample *s) {
  unlink (sample_path);
  sample_release (s);
}

static unsigned occurrences (const char *text, const char *word) {
  unsigned n = 0;
  for (; (text = strstr (text, word)); text += strlen (word)) n++;
  return n;
}

static void a_race_in_yaml (void **state) {
  (void) state;
  sample s;
  race_init (&s, "w.yml");
  char *text = sample_write (&s.input, report_witness), *again = sample_write (&s.input, report_witness);
  assert_non_null (text);
  assert_string_equal (text, again);
  assert_int_equal (occurrences (text, "type: \"function_enter\""), 2);
  assert_int_equal (occurrences (text, "type: \"target\""), 2);
  assert_non_null (strstr (text, "creation_time: \"1970-01-01T00:00:00Z\""));
  assert_non_null (strstr (text, "specification: \"CHECK( init(main()), LTL(G ! data-race) )\""));
  assert_non_null (strstr (text, "thread_id: 2\n            location:"));
  free (text);
  free (again);
  race_release (&s);
}

static void a_race_in_graphml (void **state) {
  (void) state;
  sample s;
  race_init (&s, "w.graphml");
  s.input.specification = "CHECK( init(main()), LTL(a < b & c) )";
  char *text = sample_write (&s.input, report_witness);
  assert_non_null (text);
  assert_int_equal (occurrences (text, "<data key=\"createThread\">"), 3);
  assert_int_equal (occurrences (text, "<data key=\"violation\">true</data>"), 1);
  assert_int_equal (occurrences (text, "<edge "), occurrences (text, "<node ") - 1);
  assert_non_null (strstr (text, "LTL(a &lt; b &amp; c) )"));
  free (text);
  race_release (&s);
}

static void no_answer_no_witness (void **state) {
  (void) state;
  static const struct {
    verdict_kind kind;
    const char *why;
  } cases[] = {{VERDICT_BOUNDED, "bounded"}, {VERDICT_UNKNOWN, "unknown"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sample s;
    race_init (&s, "w.yml");
    s.verdict.kind = cases[i].kind;
    strbuf why = {0};
    assert_false (report_has_witness (&s.input, &why));
    assert_non_null (strstr (strbuf_text (&why), cases[i].why));
    strbuf_release (&why);
    race_release (&s);
  }
}

static void what_has_no_place_has_no_witness (void **state) {
  (void) state;
  sample s;
  race_init (&s, "w.yml");
  strbuf why = {0};
  assert_true (report_has_witness (&s.input, &why));
  s.verdict.goals.data[0].locations.data[1].pos.file = "header.h";
  assert_false (report_has_witness (&s.input, &why));
  assert_non_null (strstr (strbuf_text (&why), "none of the input files"));
  strbuf_clear (&why);
  s.input.files.data[0] = "vanished.c";
  assert_false (report_has_witness (&s.input, &why));
  assert_non_null (strstr (strbuf_text (&why), "cannot be read"));
  strbuf_release (&why);
  race_release (&s);
}

TEST_MAIN (cmocka_unit_test (statements_begin), cmocka_unit_test (calls_end),
           cmocka_unit_test (calls_end_in_random_text), cmocka_unit_test (preprocessed_lines),
           cmocka_unit_test (a_race_in_yaml), cmocka_unit_test (a_race_in_graphml),
           cmocka_unit_test (no_answer_no_witness), cmocka_unit_test (what_has_no_place_has_no_witness))
