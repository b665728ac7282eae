// The SARIF log parsed back by jansson: rules, locations, flows; and texts that do not fit a URI, UTF-8 or a code
// flow.  tests/cli/sarif.sh checks logs of real runs, tests/formats compares them with the official schema.
#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/test.h"
#include "report/report_sample.h"
#include "report/sarif_impl.h"

static json_t *parsed (const report_input *input) {
  char *text = sample_write (input, report_sarif);
  assert_non_null (text);
  json_error_t error;
  json_t *root = json_loads (text, JSON_REJECT_DUPLICATES, &error);
  if (!root) print_error ("%s\n%s\n", error.text, text);
  free (text);
  assert_non_null (root);
  return root;
}

// Returns the value at a path of keys and indices: "runs/0/tool".
static const json_t *at (const json_t *o, const char *path) {
  char *copy = strdup (path), *rest = NULL;
  for (char *part = strtok_r (copy, "/", &rest); part && o; part = strtok_r (NULL, "/", &rest))
    o = json_is_array (o) ? json_array_get (o, strtoul (part, NULL, 10)) : json_object_get (o, part);
  free (copy);
  return o;
}

static const char *text_at (const json_t *o, const char *path) { return json_string_value (at (o, path)); }
static json_int_t number_at (const json_t *o, const char *path) { return json_integer_value (at (o, path)); }
static size_t size_at (const json_t *o, const char *path) { return json_array_size (at (o, path)); }

static void a_race_with_its_threads (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  s.input.exit_code = 10;
  json_t *root = parsed (&s.input);
  assert_string_equal (text_at (root, "version"), "2.1.0");
  assert_int_equal (size_at (root, "runs/0/tool/driver/rules"), SARIF_NUM_RULES);
  for (unsigned p = 0; p < IR_NUM_PROPERTIES; p++)
    assert_string_equal (text_at (json_array_get (at (root, "runs/0/tool/driver/rules"), p), "id"),
                         ir_property_name[p]);
  assert_int_equal (size_at (root, "runs/0/results"), 1);
  const json_t *r = at (root, "runs/0/results/0");
  assert_string_equal (text_at (r, "ruleId"), "race");
  assert_int_equal (number_at (r, "ruleIndex"), IR_P_RACE);
  assert_string_equal (text_at (r, "level"), "error");
  assert_int_equal (number_at (r, "locations/0/physicalLocation/region/startLine"), 10);
  assert_string_equal (text_at (r, "relatedLocations/0/message/text"), "thread 2: read of counter");
  const json_t *flows = at (r, "codeFlows/0/threadFlows");
  assert_int_equal (json_array_size (flows), 3);
  assert_int_equal (size_at (flows, "1/locations"), 3);
  assert_string_equal (text_at (flows, "1/locations/0/kinds/0"), "acquire");
  assert_int_equal (number_at (flows, "1/locations/0/nestingLevel"), 0);
  assert_int_equal (number_at (flows, "1/locations/1/nestingLevel"), 1);
  assert_string_equal (text_at (flows, "1/locations/1/state/counter/text"), "0");
  assert_string_equal (text_at (flows, "1/locations/1/state/locks held/text"), "m");
  assert_string_equal (text_at (flows, "1/locations/2/importance"), "essential");
  assert_int_equal (number_at (flows, "1/locations/2/executionOrder"),
                    number_at (flows, "2/locations/1/executionOrder"));
  assert_int_equal (number_at (root, "runs/0/invocations/0/exitCode"), 10);
  assert_int_equal (size_at (root, "runs/0/invocations/0/toolExecutionNotifications"), 2);
  json_decref (root);
  sample_release (&s);
}

static void unknown_is_no_success (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  s.verdict.kind = VERDICT_UNKNOWN;
  s.verdict.reason = &(reason){REASON_TIME, "time limit \xff", {0}};
  s.verdict.goals.data[0].status = GOAL_UNKNOWN;
  json_t *root = parsed (&s.input);
  assert_int_equal (size_at (root, "runs/0/results"), 0);
  assert_true (json_is_false (at (root, "runs/0/invocations/0/executionSuccessful")));
  const json_t *note = at (root, "runs/0/invocations/0/toolExecutionNotifications/0");
  assert_string_equal (text_at (note, "descriptor/id"), "unknown");
  assert_string_equal (text_at (note, "message/text"), "time limit \xEF\xBF\xBD");
  json_decref (root);
  sample_release (&s);
}

static void advice_is_a_note (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  vec_push (
      &s.verdict.uneven_returns,
      ((uneven_return){
          .function = "f", .lock = "m", .taken = {"a.c", 3, 1}, .with = {"a.c", 7, 1}, .without = {"a.c", 9, 1}}));
  json_t *root = parsed (&s.input);
  const json_t *r = at (root, "runs/0/results/1");
  assert_string_equal (text_at (r, "ruleId"), "forgotten-lock");
  assert_string_equal (text_at (r, "level"), "note");
  assert_int_equal (number_at (r, "locations/0/physicalLocation/region/startLine"), 7);
  assert_int_equal (size_at (r, "relatedLocations"), 2);
  json_decref (root);
  sample_release (&s);
}

static void long_traces_keep_their_end (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  goal *g = &s.verdict.goals.data[0];
  for (uint32_t i = 0; i < g->steps.count; i++) vec_release (&g->steps.data[i].held);
  vec_clear (&g->steps);
  for (unsigned i = 0; i < 12000; i++) sample_step (g, i % 3, 10, "worker", IR_STEP_LOAD, i % 2 ? "x" : "y", "0", NULL);
  json_t *root = parsed (&s.input);
  const json_t *flow = at (root, "runs/0/results/0/codeFlows/0");
  assert_string_equal (text_at (flow, "message/text"), "the first 2000 steps are left out");
  size_t steps = 0;
  for (unsigned t = 0; t < 3; t++)
    steps += json_array_size (at (json_array_get (at (flow, "threadFlows"), t), "locations"));
  assert_int_equal (steps, 10000);
  json_decref (root);
  sample_release (&s);
}

static void columns_count_characters (void **state) {
  (void) state;
  char path[] = "lockstep_sarif_XXXXXX";
  int fd = mkstemp (path);
  assert_true (fd >= 0);
  static const char text[] = "\n/* \xC3\xA4\xC3\xB6 */ x++;\n";
  assert_int_equal (write (fd, text, strlen (text)), (ssize_t) strlen (text));
  close (fd);
  sample s;
  sample_init (&s);
  s.verdict.goals.data[0].locations.data[0].pos = (ir_position){path, 2, 12};
  json_t *root = parsed (&s.input);
  unlink (path);
  assert_int_equal (number_at (root, "runs/0/results/0/locations/0/physicalLocation/region/startColumn"), 10);
  json_decref (root);
  sample_release (&s);
}

static unsigned digit (char c) {
  return isdigit ((unsigned char) c) ? (unsigned) (c - '0') : (unsigned) (c - 'A') + 10;
}

// Decoded, a URI is the path again.
static void uris_of_random_paths (void **state) {
  (void) state;
  rng r = {11};
  arena *a = arena_new ();
  for (int round = 0; round < 500; round++) {
    char path[20] = "", decoded[20] = "";
    unsigned length = rng_below (&r, sizeof path - 1), n = 0;
    for (unsigned i = 0; i < length; i++) path[i] = (char) (1 + rng_below (&r, 255));
    for (const char *c = sarif_uri (a, path); *c; c++) {
      assert_true ((unsigned char) *c < 128 && (isalnum ((unsigned char) *c) || strchr ("%/-._~", *c)));
      if (*c != '%') decoded[n++] = *c;
      else decoded[n++] = (char) (digit (c[1]) << 4 | digit (c[2])), c += 2;
    }
    assert_string_equal (decoded, path);
  }
  arena_free (a);
}

TEST_MAIN (cmocka_unit_test (a_race_with_its_threads), cmocka_unit_test (unknown_is_no_success),
           cmocka_unit_test (advice_is_a_note), cmocka_unit_test (long_traces_keep_their_end),
           cmocka_unit_test (columns_count_characters), cmocka_unit_test (uris_of_random_paths))
