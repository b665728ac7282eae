// The line of progress: shown neither at once nor too often.
#include <string.h>

#include "base/test.h"
#include "engine/engine.h"

typedef struct seen {
  unsigned lines;
  char last[40];
} seen;

static void see (void *state, const char *line) {
  seen *s = state;
  s->lines++;
  snprintf (s->last, sizeof s->last, "%s", line);
}

static const double LONG_AGO = 1e-9;

static void short_runs_show_nothing (void **state) {
  (void) state;
  seen s = {0};
  engine_run r = {.progress = see, .progress_state = &s};
  engine_progress (&r, "round %d", 1);
  engine_progress (&r, "round %d", 2);
  assert_int_equal (s.lines, 0);
}

static void a_line_is_due_once (void **state) {
  (void) state;
  seen s = {0};
  engine_run r = {.progress = see, .progress_state = &s, .next_progress = LONG_AGO};
  engine_progress (&r, "round %d", 7);
  engine_progress (&r, "round %d", 8);
  assert_int_equal (s.lines, 1);
  assert_string_equal (s.last, "round 7");
}

static void nobody_has_to_watch (void **state) {
  (void) state;
  engine_run r = {.next_progress = LONG_AGO};
  engine_progress (&r, "round %d", 1);
  assert_false (engine_progress_is_due (&r));
}

TEST_MAIN (cmocka_unit_test (short_runs_show_nothing), cmocka_unit_test (a_line_is_due_once),
           cmocka_unit_test (nobody_has_to_watch))
