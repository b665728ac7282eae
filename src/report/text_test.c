// The text report of a verdict made by hand, compared with what a reader should see.
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/test.h"
#include "report/report_impl.h"
#include "report/report_sample.h"

static void shows_race_properties_and_verdict (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  char *text = sample_write (&s.input, report_text);
  assert_string_equal (text,
                       "lockstep 1.2: dir/a.c; engine explicit; properties race, deadlock, memory; 0.41 s\n"
                       "\n"
                       "race-1: data race on `counter`: write by thread 1, read by thread 2 (dir/a.c:10)\n"
                       "  dir/a.c:10:3: thread 1 in worker: write of counter\n"
                       "  dir/a.c:12:5: thread 2 in other: read of counter\n"
                       "\n"
                       "  step  thread 0 (main)                  thread 1 (worker)             thread 2 (other)\n"
                       "     1  a.c:21 create thread 1 (worker)\n"
                       "     2  a.c:22 create thread 2 (other)\n"
                       "        - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -\n"
                       "     3                                   a.c:9  lock m  {m}\n"
                       "     4                                   a.c:10 read counter = 0  {m}\n"
                       "        - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -\n"
                       "     6                                                                 a.c:11 start\n"
                       "        - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -\n"
                       "    >>                                   a.c:10 write of counter  {m}\n"
                       "    >>                                                                 a.c:12 read of counter\n"
                       "\n"
                       "race: 1 found\n"
                       "deadlock: none (proved)\n"
                       "memory: unknown\n"
                       "\n"
                       "assumptions:\n"
                       "  - `foo()` has no body: returns any value\n"
                       "\n"
                       "bounds:\n"
                       "  - nondet_int at a.c:7: 9 of 2^32 values\n"
                       "\n"
                       "VERDICT: BUG\n");
  free (text);
  sample_release (&s);
}

// A verdict that no bound or missing knowledge weakens names them only if asked for all of them.
static void names_the_limits_that_were_met (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  vec_push (&s.verdict.limits, LIMIT_ID_ESCAPE_CONTEXTS);
  for (int all = 0; all < 2; all++)
    for (verdict_kind kind = VERDICT_BUG; kind <= VERDICT_UNKNOWN; kind++) {
      s.verdict.kind = kind;
      s.input.style.all_limits = all;
      char *text = sample_write (&s.input, report_text);
      const char *title = "\nlimits that were met (docs/limits.md):\n  - escape analysis: at most 16 contexts of one ";
      assert_int_equal (strstr (text, title) != NULL, all || kind >= VERDICT_BOUNDED);
      free (text);
    }
  sample_release (&s);
}

static void quiet_and_stats (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  s.input.style.quiet = s.input.style.stats = true;
  char *text = sample_write (&s.input, report_text);
  assert_string_equal (text, "race-1: data race on `counter`: write by thread 1, read by thread 2 (dir/a.c:10)\n"
                             "\n"
                             "statistics:\n"
                             "  time (s)                 0.41\n"
                             "  memory (bytes)           1000\n"
                             "  states                   1204  (3.1 per transition)\n"
                             "  large count    9007199254740993\n"
                             "VERDICT: BUG\n");
  free (text);
  sample_release (&s);
}

static void long_lists_are_short (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  static const char *const names[] = {"read", "open", "stat"};
  for (uint32_t i = 0; i < 3; i++) {
    verdict_add_bound (&s.verdict, "`%s` has no body: returns any value", names[i]);
    verdict_add_bound (&s.verdict, "%s is long", names[i]);
  }
  verdict_add_bound (&s.verdict, "`exit` has no body: taken to change nothing");
  for (uint32_t i = 0; i < 9; i++) vec_push (&s.input.files, "b.c");
  char *text = sample_write (&s.input, report_text);
  assert_non_null (strstr (text, ": dir/a.c, b.c, b.c, b.c, b.c, b.c, b.c and 3 more files; engine"));
  assert_non_null (strstr (text, "bounds:\n"
                                 "  - nondet_int at a.c:7: 9 of 2^32 values\n"
                                 "  - 3 functions have no body (returns any value): `read`, `open`, `stat`\n"
                                 "  - read is long\n"
                                 "  - open is long\n"
                                 "  - stat is long\n"
                                 "  - `exit` has no body: taken to change nothing\n"));
  free (text);
  sample_release (&s);
}

static void verdict_lines (void **state) {
  (void) state;
  const struct {
    verdict_kind kind;
    const char *reason, *line;
  } cases[] = {{VERDICT_BUG, "time limit of 3 s", "VERDICT: BUG"},
               {VERDICT_SAFE, NULL, "VERDICT: SAFE"},
               {VERDICT_BOUNDED, "depth 8", "VERDICT: NO BUG WITHIN BOUNDS (depth 8)"},
               {VERDICT_BOUNDED, NULL, "VERDICT: NO BUG WITHIN BOUNDS"},
               {VERDICT_UNKNOWN, "two\nlines", "VERDICT: UNKNOWN (two lines)"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    reason why = {REASON_ENGINE, cases[i].reason, {0}};
    verdict v = {.kind = cases[i].kind, .reason = why.text ? &why : NULL};
    strbuf line = {0};
    report_verdict_line (&v, &line);
    assert_string_equal (strbuf_text (&line), cases[i].line);
    strbuf_release (&line);
  }
}

static void goal_release (goal *g) {
  for (uint32_t i = 0; i < g->steps.count; i++) vec_release (&g->steps.data[i].held);
  vec_release (&g->steps);
  vec_release (&g->locations);
}

static char *trace_text (const goal *g, const report_style *style) {
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream (&text, &size);
  report_trace (g, style, f);
  fclose (f);
  return text;
}

static unsigned count_lines (const char *text) {
  unsigned lines = 0;
  for (; *text; text++) lines += *text == '\n';
  return lines;
}

static void long_stretches_are_left_out (void **state) {
  (void) state;
  goal g = {.id = "assert-1"};
  for (unsigned i = 0; i < 500; i++) sample_step (&g, 1, 5, "worker", IR_STEP_STORE, "local", "1", NULL);
  sample_step (&g, 0, 6, "main", IR_STEP_LOCK, "m", NULL, "m");
  char *text = trace_text (&g, &(report_style){0}), *all = trace_text (&g, &(report_style){.full_trace = true});
  assert_non_null (strstr (text, "steps left out (--full-trace shows them)"));
  assert_true (count_lines (text) < 30);
  assert_non_null (strstr (text, "   501  "));
  assert_null (strstr (all, "left out"));
  assert_int_equal (count_lines (all), 501 + 2);  // header and one change of thread
  free (text);
  free (all);
  goal_release (&g);
}

static void many_threads_share_one_column (void **state) {
  (void) state;
  goal g = {.id = "race-1"};
  for (unsigned t = 0; t < 6; t++) sample_step (&g, t, 30 + t, "worker", IR_STEP_LOAD, "x", "1", NULL);
  char *text = trace_text (&g, &(report_style){0});
  assert_non_null (strstr (text, "     6  T5  | a.c:35 read x = 1\n"));
  free (text);
  goal_release (&g);
}

static void narrow_columns_wrap (void **state) {
  (void) state;
  goal g = {.id = "race-1"};
  sample_step (&g, 0, 7, "main", IR_STEP_STORE, "queue->head->next", "17", "first_lock");
  sample_step (&g, 1, 8, "worker", IR_STEP_LOAD, "x", "1", NULL);
  char *text = trace_text (&g, &(report_style){.columns = 64});
  assert_string_equal (text, "  (the numbers before the steps are lines of dir/a.c)\n"
                             "  step  thread 0 (main)                   thread 1 (worker)\n"
                             "     1  7 write queue->head->next = 17\n"
                             "          {first_lock}\n"
                             "        - - - - - - - - - - - - - - - - - - - - - - - - - - -\n"
                             "     2                                    8 read x = 1\n");
  free (text);
  goal_release (&g);
}

static void a_part_is_laid_out_as_in_the_whole (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  const goal *g = &s.verdict.goals.data[0];
  char *all = trace_text (g, &(report_style){0}), *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream (&text, &size);
  report_trace_part (g, &(report_style){0}, f, 2, 4);
  fclose (f);
  assert_int_equal (count_lines (text), 3);
  assert_non_null (strstr (all, strstr (text, "     3  ")));
  free (text);
  free (all);
  sample_release (&s);
}

static void excerpt_has_caret_under_column (void **state) {
  (void) state;
  char path[] = "lockstep_text_test_XXXXXX";
  int fd = mkstemp (path);
  assert_true (fd >= 0);
  FILE *f = fdopen (fd, "w");
  fputs ("first\n\tx\x1b = \xff;\r\n", f);
  fclose (f);
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream (&text, &size);
  excerpt_show (out, &(report_style){0}, path, 2, 2);
  excerpt_show (out, &(report_style){0}, path, 9, 1);
  excerpt_show (out, &(report_style){0}, "no such file", 1, 1);
  fclose (out);
  remove (path);
  assert_string_equal (text, "      2 |  x? = \xEF\xBF\xBD;\n        |  ^\n");
  free (text);
}

TEST_MAIN (cmocka_unit_test (names_the_limits_that_were_met), cmocka_unit_test (shows_race_properties_and_verdict),
           cmocka_unit_test (quiet_and_stats), cmocka_unit_test (long_lists_are_short),
           cmocka_unit_test (verdict_lines), cmocka_unit_test (long_stretches_are_left_out),
           cmocka_unit_test (many_threads_share_one_column), cmocka_unit_test (narrow_columns_wrap),
           cmocka_unit_test (a_part_is_laid_out_as_in_the_whole), cmocka_unit_test (excerpt_has_caret_under_column))
