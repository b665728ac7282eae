// The JSON report parsed back: by jansson, field by field, and by the reader of lockstep.
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/test.h"
#include "report/report_sample.h"

static json_t *parsed (const report_input *input) {
  char *text = sample_write (input, report_json);
  assert_non_null (text);
  json_error_t error;
  json_t *root = json_loads (text, JSON_REJECT_DUPLICATES, &error);
  if (!root) print_error ("%s\n%s\n", error.text, text);
  free (text);
  return root;
}

static const char *text_at (const json_t *o, const char *key) { return json_string_value (json_object_get (o, key)); }
static json_int_t number_at (const json_t *o, const char *key) { return json_integer_value (json_object_get (o, key)); }

static void holds_the_whole_verdict (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  json_t *root = parsed (&s.input);
  assert_string_equal (text_at (root, "tool"), "lockstep");
  assert_string_equal (text_at (root, "verdict"), "bug");
  assert_true (json_is_null (json_object_get (root, "reason")));
  assert_string_equal (text_at (root, "program_hash"), "0000000000000abc");
  const json_t *goals = json_object_get (root, "goals"), *g = json_array_get (goals, 0);
  assert_int_equal (json_array_size (goals), 2);
  assert_string_equal (text_at (g, "status"), "violated");
  assert_string_equal (text_at (json_array_get (goals, 1), "status"), "proved");
  assert_null (json_object_get (json_array_get (goals, 1), "schedule"));
  const json_t *trace = json_object_get (g, "trace"), *step = json_array_get (trace, 3);
  assert_int_equal (json_array_size (trace), 7);
  assert_int_equal (number_at (step, "step"), 4);
  assert_string_equal (text_at (step, "object"), "counter");
  assert_string_equal (json_string_value (json_array_get (json_object_get (step, "held"), 0)), "m");
  assert_int_equal (number_at (json_array_get (json_object_get (g, "locations"), 1), "column"), 5);
  const json_t *stats = json_object_get (root, "stats");
  assert_int_equal (number_at (stats, "states"), 1204);
  assert_string_equal (text_at (stats, "large_count"), "9007199254740993");
  assert_int_equal (number_at (json_object_get (root, "bounds"), "max_threads"), 8);
  json_decref (root);
  sample_release (&s);
}

static void names_the_limits_that_were_met (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  vec_push (&s.verdict.limits, LIMIT_ID_ESCAPE_CONTEXTS);
  json_t *root = parsed (&s.input), *limits = json_object_get (root, "limits"), *met = json_array_get (limits, 0);
  assert_int_equal (json_array_size (limits), 1);
  assert_string_equal (text_at (met, "name"), "ESCAPE_CONTEXTS");
  assert_int_equal (number_at (met, "value"), LIMIT_ESCAPE_CONTEXTS);
  assert_string_equal (text_at (met, "counted"), "contexts of one procedure");
  json_decref (root);
  sample_release (&s);
}

static void bad_bytes_do_no_harm (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  s.verdict.goals.data[0].message = "bad \xff\xc0 \x01 \"quoted\"";
  s.verdict.goals.data[0].steps.data[0].text = "\xed\xa0\x80";
  s.verdict.kind = VERDICT_UNKNOWN;
  s.verdict.reason = &(reason){REASON_ENGINE, "\xfe", {0}};
  json_t *root = parsed (&s.input);
  assert_string_equal (text_at (root, "reason"), "\xEF\xBF\xBD");
  assert_string_equal (text_at (json_array_get (json_object_get (root, "goals"), 0), "message"),
                       "bad \xEF\xBF\xBD\xEF\xBF\xBD \x01 \"quoted\"");
  json_decref (root);
  sample_release (&s);
}

// Writes the text to a file and reads it as a report.
static bool load_text (report_saved *saved, const char *text, strbuf *why) {
  char path[] = "lockstep_json_test_XXXXXX";
  int fd = mkstemp (path);
  assert_true (fd >= 0);
  assert_int_equal (write (fd, text, strlen (text)), (ssize_t) strlen (text));
  close (fd);
  bool good = report_saved_load (saved, path, why);
  unlink (path);
  return good;
}

static void reader_gives_back_what_was_written (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  char *text = sample_write (&s.input, report_json);
  report_saved saved;
  strbuf why = {0};
  assert_true (load_text (&saved, text, &why));
  assert_int_equal (saved.program_hash, 0xabc);
  assert_string_equal (saved.files.data[0], "dir/a.c");
  assert_string_equal (saved.clang_flags.data[0], "-DX=1");
  assert_int_equal (saved.options.count, 3);
  assert_int_equal (saved.goals.count, 1);
  const claim *c = &saved.goals.data[0].claim, *original = &s.verdict.goals.data[0].claim;
  assert_int_equal (c->property, IR_P_RACE);
  assert_int_equal (c->num_threads, 2);
  assert_int_equal (c->thread[1], 2);
  assert_int_equal (c->edge[1].i, 71);
  assert_int_equal (c->schedule.parts.count, 2);
  assert_int_equal (c->schedule.parts.data[1].edges, 4000000000u);
  assert_int_equal (c->schedule.choices.count, 2);
  assert_memory_equal (c->schedule.choices.data, original->schedule.choices.data, 2 * sizeof (ir_value));
  free (text);
  report_saved_release (&saved);
  sample_release (&s);
  strbuf_release (&why);
}

static void reader_refuses (const char *text, const char *expected) {
  report_saved saved;
  strbuf why = {0};
  assert_false (load_text (&saved, text, &why));
  if (!strstr (strbuf_text (&why), expected)) print_error ("%s\ngives %s\n", text, strbuf_text (&why));
  assert_non_null (strstr (strbuf_text (&why), expected));
  report_saved_release (&saved);
  strbuf_release (&why);
}

static void reader_refuses_what_is_no_report (void **state) {
  (void) state;
#define HEAD "{\"tool\":\"lockstep\",\"version\":\"1\",\"program_hash\":\"0000000000000001\",\"options\":{},\"goals\":"
#define GOAL(CLAIM, SCHEDULE)                                                                                         \
  HEAD "[{\"id\":\"race-1\",\"property\":\"race\",\"status\":\"violated\",\"claim\":" CLAIM ",\"schedule\":" SCHEDULE \
       "}]}"
  reader_refuses ("", "not valid JSON");
  reader_refuses ("{\"tool\":", "not valid JSON at line 1");
  reader_refuses ("[]", "not a lockstep report");
  reader_refuses ("{\"tool\":\"cbmc\"}", "another tool, `cbmc`");
  reader_refuses ("{\"tool\":\"lockstep\"}", "program_hash");
  reader_refuses ("{\"tool\":\"lockstep\",\"program_hash\":\"00000000000000zz\"}", "program_hash");
  reader_refuses (HEAD "3}", "goals");
  reader_refuses (HEAD "[{}]}", "lacks its id");
  reader_refuses (GOAL ("{}", "{}"), "claim");
  reader_refuses (GOAL ("{\"threads\":[1],\"edges\":[2]}", "{}"), "claim");        // a race has two threads
  reader_refuses (GOAL ("{\"threads\":[1,128],\"edges\":[2,3]}", "{}"), "claim");  // no such slot
  reader_refuses (GOAL ("{\"threads\":[1,2],\"edges\":[2,-3]}", "{}"), "claim");
  reader_refuses (GOAL ("{\"threads\":[1,2],\"edges\":[2,3]}", "{\"parts\":[[1]],\"choices\":[]}"), "schedule");
  reader_refuses (GOAL ("{\"threads\":[1,2],\"edges\":[2,3]}", "{\"parts\":[[1,2]],\"choices\":[\"12\"]}"), "schedule");
}

TEST_MAIN (cmocka_unit_test (names_the_limits_that_were_met), cmocka_unit_test (holds_the_whole_verdict),
           cmocka_unit_test (bad_bytes_do_no_harm), cmocka_unit_test (reader_gives_back_what_was_written),
           cmocka_unit_test (reader_refuses_what_is_no_report))
