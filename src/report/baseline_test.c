// Baselines: what fingerprints depend on, valid and invalid files, and the verdict after hiding findings.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/test.h"
#include "report/report_impl.h"
#include "report/report_sample.h"

static void write_file (char *path, const char *text) {
  int fd = mkstemp (path);
  assert_true (fd >= 0);
  FILE *f = fdopen (fd, "w");
  fputs (text, f);
  fclose (f);
}

static goal race (const char *file, uint32_t line, const char *about, uint32_t thread) {
  goal g = {.id = "race-1", .property = IR_P_RACE, .status = GOAL_VIOLATED, .message = "data race", .about = about};
  vec_push (&g.locations, ((goal_location){{file, line, 3}, "worker", thread, .what = "write of `x`"}));
  vec_push (&g.locations, ((goal_location){{file, line + 1, 3}, "main", 0, .what = "read of `x`"}));
  g.claim.num_threads = 2;
  return g;
}

static uint64_t fingerprint_of (goal g) {
  uint64_t f = report_fingerprint (&g);
  vec_release (&g.locations);
  return f;
}

// ---- fingerprints -----------------------------------------------------------------------------------
static void moved_code_is_the_same (void **state) {
  (void) state;
  char one[] = "lockstep_baseline_XXXXXX";
  write_file (one, "x = 1;\ny = x;\n\n  x =  1;\n\ty = x;\n\nx = 2;\ny = x;\n");
  uint64_t f = fingerprint_of (race (one, 1, "x", 1));
  assert_true (f == fingerprint_of (race (one, 4, "x", 3)));
  assert_true (f != fingerprint_of (race (one, 7, "x", 1)));
  assert_true (f != fingerprint_of (race (one, 1, "y", 1)));
  assert_true (fingerprint_of (race (one, 1, "a[1]", 1)) == fingerprint_of (race (one, 1, "a[2]", 1)));
  goal other = race (one, 1, "x", 1);
  other.property = IR_P_MEMORY;
  assert_true (f != fingerprint_of (other));
  remove (one);
}

static void sides_have_no_order (void **state) {
  (void) state;
  goal g = race ("a.c", 1, "x", 1), h = race ("a.c", 1, "x", 2);
  goal_location first = h.locations.data[0];
  h.locations.data[0] = h.locations.data[1];
  h.locations.data[1] = first;
  assert_true (fingerprint_of (g) == fingerprint_of (h));
}

// Which other threads wait for the end of a stuck thread depends on the schedule.
static void threads_that_join_do_not_count (void **state) {
  (void) state;
  goal g = {.property = IR_P_DEADLOCK, .status = GOAL_VIOLATED, .about = "f[1], f[0]", .claim.num_threads = 2}, h = g;
  h.about = "f[0], f[2], f[1]";
  h.claim.num_threads = 3;
  vec_push (
      &h.locations,
      ((goal_location){
          {"a.c", 9, 1}, "main", 0, "waits for thread 1 to end", {.kind = ROLE_WAITS_THREAD, .holder = HOLDER_OTHER}}));
  for (uint32_t k = 1; k < 3; k++) {
    vec_push (&g.locations, ((goal_location){{"a.c", 5, 1}, "f", k, .what = "waits for `f[1]` held by thread 2"}));
    vec_push (&h.locations, ((goal_location){{"a.c", 5, 1}, "f", k, .what = "waits for `f[3]` held by thread 7"}));
  }
  assert_true (fingerprint_of (g) == fingerprint_of (h));
}

static void what_became_certain_is_new (void **state) {
  (void) state;
  goal g = race ("a.c", 1, "x", 1), h = race ("a.c", 1, "x", 1);
  h.status = GOAL_UNKNOWN;
  vec_push (&h.sides, ((goal_side){.entry = "main"}));
  assert_true (report_has_fingerprint (&h));
  uint64_t f = report_fingerprint (&h);
  vec_release (&h.sides);
  vec_release (&h.locations);
  assert_true (f != fingerprint_of (g));
  assert_false (report_has_fingerprint (&(goal){.id = "race", .status = GOAL_UNKNOWN}));
  assert_false (report_has_fingerprint (&(goal){.id = "ltl-1", .property = IR_P_FORMULA, .status = GOAL_VIOLATED}));
}

// ---- files ------------------------------------------------------------------------------------------
static void assert_loads (const char *text, bool good, const char *complaint) {
  char path[] = "lockstep_baseline_XXXXXX";
  write_file (path, text);
  baseline b;
  strbuf why = {0};
  assert_int_equal (baseline_load (&b, path, &why), good);
  if (complaint) assert_non_null (strstr (strbuf_text (&why), complaint));
  strbuf_release (&why);
  baseline_release (&b);
  remove (path);
}

static void good_and_bad_files (void **state) {
  (void) state;
  assert_loads ("", true, NULL);
  assert_loads ("# comment\n\n  0123456789abcdef race: x\n0123456789abcdef", true, NULL);
  assert_loads ("0123456789abcdef\r\n", true, NULL);
  assert_loads ("# comment\n0123456789abcde race\n", false, "line 2: expected a fingerprint of 16 hexadecimal digits");
  assert_loads ("0123456789abcdef0 race\n", false, "line 1");
  assert_loads ("{\"tool\": \"lockstep\"}\n", false, "is no baseline");
  baseline b;
  strbuf why = {0};
  assert_false (baseline_load (&b, "no such file", &why));
  assert_non_null (strstr (strbuf_text (&why), "--write-baseline=FILE makes one"));
  strbuf_release (&why);
  baseline_release (&b);
}

// ---- the verdict that is left -----------------------------------------------------------------------
static void accept (baseline *b, const goal *g) { ++*map_insert (&b->lines, report_fingerprint (g), 0, NULL); }

static void assert_left (goal_status rest, const char *why, const char *bound, verdict_kind kind, const char *line) {
  verdict v;
  verdict_init (&v);
  reason known = {rest == GOAL_UNKNOWN ? REASON_TIME : REASON_BOUND, why, {0}};
  v.answers[IR_P_RACE].rest = rest;
  v.answers[IR_P_RACE].why = why ? &known : NULL;
  if (bound) verdict_add_bound (&v, "%s", bound);
  vec_push (&v.goals, race ("a.c", 1, "x", 1));
  verdict_settle (&v, 1u << IR_P_RACE);
  assert_int_equal (v.kind, VERDICT_BUG);
  baseline b = {.path = "file"};
  accept (&b, &v.goals.data[0]);
  baseline_apply (&b, &v, 1u << IR_P_RACE);
  assert_int_equal (v.accepted.count, 1);
  assert_int_equal (v.kind, kind);
  strbuf text = {0};
  report_verdict_line (&v, &text);
  assert_string_equal (strbuf_text (&text), line);
  strbuf_release (&text);
  baseline_release (&b);
  verdict_release (&v);
}

static void as_if_they_were_not_there (void **state) {
  (void) state;
  assert_left (GOAL_PROVED, NULL, NULL, VERDICT_SAFE, "VERDICT: SAFE (beside 1 accepted finding)");
  assert_left (GOAL_BOUNDED, NULL, "depth 8", VERDICT_BOUNDED,
               "VERDICT: NO BUG WITHIN BOUNDS (depth 8; beside 1 accepted finding)");
  assert_left (GOAL_BOUNDED, "depth 8", "depth 8", VERDICT_BOUNDED,
               "VERDICT: NO BUG WITHIN BOUNDS (depth 8; beside 1 accepted finding)");
  assert_left (GOAL_UNKNOWN, "time limit of 3 s", NULL, VERDICT_UNKNOWN,
               "VERDICT: UNKNOWN (time limit of 3 s; beside 1 accepted finding)");
  assert_left (GOAL_UNKNOWN, "time limit of 3 s", "depth 8", VERDICT_UNKNOWN,
               "VERDICT: UNKNOWN (time limit of 3 s; beside 1 accepted finding)");
  assert_left (GOAL_UNKNOWN, NULL, NULL, VERDICT_UNKNOWN,
               "VERDICT: UNKNOWN (the search ended with what the baseline accepts; beside 1 accepted finding)");
}

// A property that is unknown only because of listed possible violations is proved when all of them are accepted.
static void possible_ones (void **state) {
  (void) state;
  for (int all_listed = 0; all_listed < 2; all_listed++) {
    verdict v;
    verdict_init (&v);
    goal g = race ("a.c", 1, "x", 1);
    g.status = GOAL_UNKNOWN;
    vec_push (&g.sides, ((goal_side){.entry = "main"}));
    vec_push (&v.goals, g);
    static const reason pair = {REASON_ENGINE, "1 pair", {0}};
    v.answers[IR_P_RACE] = (property_answer){.status = GOAL_UNKNOWN,
                                             .rest = GOAL_UNKNOWN,
                                             .why = &pair,
                                             .message = pair.text,
                                             .engine = "locks",
                                             .all_listed = all_listed};
    baseline b = {.path = "file"};
    accept (&b, &g);
    baseline_apply (&b, &v, 1u << IR_P_RACE);
    assert_int_equal (v.kind, all_listed ? VERDICT_SAFE : VERDICT_UNKNOWN);
    baseline_release (&b);
    verdict_release (&v);
  }
}

static void report_tells_what_is_hidden (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  baseline b = {.path = "accepted.txt"};
  accept (&b, &s.verdict.goals.data[0]);
  *map_insert (&b.lines, 77, 2, NULL) = 2;
  baseline_apply (&b, &s.verdict, s.semantics.properties);
  verdict_sum_up (&s.verdict, 1u << IR_P_RACE, NULL);
  s.input.baseline = &b;
  char *text = sample_write (&s.input, report_text);
  assert_null (strstr (text, "race-1"));
  assert_non_null (strstr (text, "\nrace: none within bounds, beside 1 accepted\n"));
  assert_non_null (strstr (text, "  - 1 finding accepted by the baseline accepted.txt is hidden\n"));
  assert_non_null (strstr (text, "  - 2 lines of the baseline accepted.txt match nothing that was found\n"));
  free (text);
  text = sample_write (&s.input, report_json);
  assert_non_null (strstr (
      text, "\"baseline\": "
            "{\"file\":\"accepted.txt\",\"accepted\":[{\"id\":\"race-1\",\"property\":\"race\",\"fingerprint\":\""));
  assert_non_null (strstr (text, "\"unmatched\":2}"));
  free (text);
  baseline_release (&b);
  sample_release (&s);
}

// ---- random findings, some of them alike ------------------------------------------------------------
static void each_line_hides_one (void **state) {
  (void) state;
  static const char *const names[] = {"x", "y", "z"};
  rng r = {5};
  for (unsigned round = 0; round < 200; round++) {
    verdict v;
    verdict_init (&v);
    baseline b = {.path = "file"};
    int lines[3] = {0}, found[3] = {0}, hidden = 0, unmatched = 0;
    for (uint32_t k = rng_below (&r, 8); k-- > 0;) {
      goal g = race ("a.c", 1, names[rng_below (&r, 3)], 1);
      lines[*g.about - 'x']++;
      accept (&b, &g);
      vec_release (&g.locations);
    }
    for (uint32_t k = rng_below (&r, 8); k-- > 0;) {
      vec_push (&v.goals, race ("a.c", 1, names[rng_below (&r, 3)], 1));
      found[*vec_last (&v.goals).about - 'x']++;
    }
    for (int k = 0; k < 3; k++) {
      hidden += lines[k] < found[k] ? lines[k] : found[k];
      unmatched += lines[k] > found[k] ? lines[k] - found[k] : 0;
    }
    baseline_apply (&b, &v, 1u << IR_P_RACE);
    assert_int_equal (v.accepted.count, hidden);
    assert_int_equal (b.unmatched, unmatched);
    baseline_release (&b);
    verdict_release (&v);
  }
}

static void what_is_written_hides_all (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  char path[] = "lockstep_baseline_XXXXXX";
  char *text = sample_write (&s.input, report_baseline);
  assert_non_null (strstr (text, " race: data race on `counter`: write by thread 1, read by thread 2\n"));
  write_file (path, text);
  free (text);
  baseline b;
  strbuf why = {0};
  assert_true (baseline_load (&b, path, &why));
  baseline_apply (&b, &s.verdict, s.semantics.properties);
  assert_int_equal (s.verdict.accepted.count, 1);
  assert_int_equal (b.unmatched, 0);
  baseline_release (&b);
  remove (path);
  sample_release (&s);
}

TEST_MAIN (cmocka_unit_test (moved_code_is_the_same), cmocka_unit_test (sides_have_no_order),
           cmocka_unit_test (threads_that_join_do_not_count), cmocka_unit_test (what_became_certain_is_new),
           cmocka_unit_test (good_and_bad_files), cmocka_unit_test (as_if_they_were_not_there),
           cmocka_unit_test (possible_ones), cmocka_unit_test (report_tells_what_is_hidden),
           cmocka_unit_test (each_line_hides_one), cmocka_unit_test (what_is_written_hides_all))
