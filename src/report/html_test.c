// The HTML report without a browser: text from programs stays text, the data can be parsed back, and sources are cut
// correctly.  tests/html checks what the page does with it.
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/test.h"
#include "report/html_impl.h"
#include "report/report_sample.h"

static const char data_start[] = "<script type=\"application/json\" id=\"data\">";

// Returns the text between the script element of the data and the next `</script`, as a browser would cut it.
static char *data_of (const char *page) {
  const char *start = strstr (page, data_start);
  assert_non_null (start);
  start += strlen (data_start);
  const char *end = strstr (start, "</script");
  assert_non_null (end);
  return strndup (start, (size_t) (end - start));
}

static json_t *parsed (const char *page) {
  char *data = data_of (page);
  assert_null (strchr (data, '<'));
  json_error_t error;
  json_t *root = json_loads (data, JSON_REJECT_DUPLICATES, &error);
  if (!root) print_error ("%s\n%s\n", error.text, data);
  assert_non_null (root);
  free (data);
  return root;
}

static const char *message_of (const json_t *root) {
  const json_t *goals = json_object_get (json_object_get (root, "report"), "goals");
  return json_string_value (json_object_get (json_array_get (goals, 0), "message"));
}

static void holds_report_and_sources (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  char *page = sample_write (&s.input, report_html);
  assert_non_null (page);
  assert_int_equal (strncmp (page, "<!DOCTYPE html>", 15), 0);
  assert_non_null (strstr (page, "<title>Bug: a.c</title>"));
  json_t *root = parsed (page);
  assert_string_equal (message_of (root), s.verdict.goals.data[0].message);
  const json_t *sources = json_object_get (root, "sources"), *source = json_array_get (sources, 0);
  assert_int_equal (json_array_size (sources), 1);
  assert_string_equal (json_string_value (json_object_get (source, "file")), "dir/a.c");
  assert_int_equal (json_array_size (json_object_get (source, "parts")), 0);  // there is no such file
  json_decref (root);
  free (page);
  sample_release (&s);
}

static void is_readable_without_a_script (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  char *page = sample_write (&s.input, report_html);
  static const char *const expected[] = {"<span class=\"verdict bug\">Bug</span> dir/a.c",
                                         "<li>`foo()` has no body: returns any value</li>",
                                         "<td>violated</td><td>race-1</td><td>race</td>",
                                         "<td>write</td><td>counter</td><td>1</td><td><code>m</code></td>"};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    if (!strstr (page, expected[i])) fail_msg ("the page lacks %s", expected[i]);
  free (page);
  sample_release (&s);
}

// Strings by which a program, a file name or a message might break the page.
static void nothing_becomes_markup (void **state) {
  (void) state;
  static const char hostile[] =
      "</script><img src=x onerror=\"alert(1)\"><!-- \xE2\x80\xA8 \xE2\x80\xA9 \xE2\x80\xA6 ]]> & '";
  sample s;
  sample_init (&s);
  goal *g = &s.verdict.goals.data[0];
  g->message = g->steps.data[0].object = g->steps.data[1].text = g->steps.data[2].function = hostile;
  g->locations.data[0].what = g->steps.data[3].pos.file = s.input.files.data[0] = hostile;
  s.verdict.reason = &(reason){REASON_ENGINE, hostile, {0}};
  char *page = sample_write (&s.input, report_html);
  assert_null (strstr (page, "<img"));
  json_t *root = parsed (page);
  assert_string_equal (message_of (root), hostile);
  char *data = data_of (page);
  assert_null (strstr (data, "\xE2\x80\xA8"));
  assert_null (strstr (data, "\xE2\x80\xA9"));
  assert_non_null (strstr (data, "\xE2\x80\xA6"));
  free (data);
  json_decref (root);
  free (page);
  sample_release (&s);
}

static void random_text_survives (void **state) {
  (void) state;
  static const char *const pieces[] = {"<",  "\xE2", "\xE2\x80", "\xE2\x80\xA8", "\xE2\x80\xA9", "\xE2\x80\xA0",
                                       "\"", "\\",   "a",        "\xE2\x82\xAC"};
  rng r = {7};
  for (unsigned round = 0; round < 300; round++) {
    sample s;
    sample_init (&s);
    strbuf text = {0};
    for (unsigned k = 0; k < 12; k++) strbuf_add (&text, pieces[rng_below (&r, sizeof pieces / sizeof *pieces)]);
    s.verdict.goals.data[0].message = strbuf_text (&text);
    char *page = sample_write (&s.input, report_html);
    json_t *root = parsed (page);
    arena *a = arena_new ();
    assert_string_equal (message_of (root), utf8_valid (a, strbuf_text (&text)));
    arena_free (a);
    json_decref (root);
    free (page);
    strbuf_release (&text);
    sample_release (&s);
  }
}

// A file of `lines` lines with `width` characters each; its name is in `path`.
static void make_source (char *path, unsigned lines, int width) {
  int fd = mkstemp (path);
  assert_true (fd >= 0);
  FILE *f = fdopen (fd, "w");
  for (unsigned i = 1; i <= lines; i++) fprintf (f, "%0*u\n", width, i);
  fclose (f);
}

static json_t *parts_of (const json_t *root, size_t file) {
  return json_object_get (json_array_get (json_object_get (root, "sources"), file), "parts");
}

static void small_files_are_whole_and_large_ones_cut (void **state) {
  (void) state;
  char small[] = "lockstep_html_test_XXXXXX", large[] = "lockstep_html_test_XXXXXX";
  make_source (small, 50, 4);
  make_source (large, 9000, 100);
  sample s;
  sample_init (&s);
  goal *g = &s.verdict.goals.data[0];
  for (uint32_t i = 0; i < g->steps.count; i++) g->steps.data[i].pos = (ir_position){small, 3, 1};
  g->locations.data[0].pos = (ir_position){large, 8999, 1};
  g->locations.data[1].pos = (ir_position){large, 10, 1};
  char *page = sample_write (&s.input, report_html);
  json_t *root = parsed (page);
  const json_t *cut = parts_of (root, 0), *whole = parts_of (root, 1);
  assert_int_equal (json_array_size (whole), 1);
  assert_int_equal (json_array_size (json_object_get (json_array_get (whole, 0), "lines")), 50);
  assert_int_equal (json_array_size (cut), 2);
  const json_t *head = json_array_get (cut, 0), *tail = json_array_get (cut, 1);
  assert_int_equal (json_integer_value (json_object_get (head, "first")), 1);
  assert_int_equal (json_array_size (json_object_get (head, "lines")), 70);
  assert_int_equal (json_integer_value (json_object_get (tail, "first")), 8939);
  assert_int_equal (json_array_size (json_object_get (tail, "lines")), 62);
  const char *last = json_string_value (json_array_get (json_object_get (tail, "lines"), 61));
  assert_string_equal (last + strlen (last) - 5, "09000");
  json_decref (root);
  free (page);
  sample_release (&s);
  unlink (small);
  unlink (large);
}

static uint32_t count_of (const char *page, const char *text) {
  uint32_t count = 0;
  for (const char *at = page; (at = strstr (at, text)); at++) count++;
  return count;
}

static void traces_of_many_possible_findings_are_left_out (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  for (uint32_t k = 0; k < 60; k++) {
    goal g = {.id = "possible-race", .property = IR_P_RACE, .status = GOAL_UNKNOWN, .engine = "locks", .doubt = 60 - k};
    vec_push (&g.sides, ((goal_side){.entry = "main", .what = "write"}));
    sample_step (&g, 0, 1000 + k, "main", IR_STEP_STORE, k < 10 ? "unlikely" : "likely", NULL, NULL);
    vec_push (&s.verdict.goals, g);
  }
  char *page = sample_write (&s.input, report_html), *data = strstr (page, "<script type=\"application/json\"");
  assert_non_null (data);
  assert_int_equal (count_of (page, "unlikely"), 0);
  assert_int_equal (count_of (data, "\"likely\""), 50);
  assert_int_equal (count_of (data, "left out of this page"), 10);
  assert_int_equal (s.verdict.goals.data[s.verdict.goals.count - 60].steps.count,
                    1);  // the verdict itself stays as it is
  free (page);
  sample_release (&s);
}

static void a_full_disk_is_noticed (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  FILE *full = fopen ("/dev/full", "w");
  assert_non_null (full);
  assert_false (report_html (&s.input, full));
  fclose (full);
  sample_release (&s);
}

TEST_MAIN (cmocka_unit_test (holds_report_and_sources), cmocka_unit_test (is_readable_without_a_script),
           cmocka_unit_test (nothing_becomes_markup), cmocka_unit_test (random_text_survives),
           cmocka_unit_test (small_files_are_whole_and_large_ones_cut),
           cmocka_unit_test (traces_of_many_possible_findings_are_left_out), cmocka_unit_test (a_full_disk_is_noticed))
