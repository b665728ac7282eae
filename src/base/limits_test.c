// The record of limits: comparisons record the limits that they meet, child processes and threads share the record, and
// texts are sentences.
#include "base/limits.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/test.h"

static uint32_t count_met (void) {
  uint32_t count = 0;
  for (limit_id id = 0; id < NUM_LIMITS; id++) count += limit_was_met (id);
  return count;
}

static void comparisons_note (void **state) {
  (void) state;
  limits_forget ();
  assert_false (at_limit (ESCAPE_CONTEXTS, LIMIT_ESCAPE_CONTEXTS - 1));
  assert_false (over_limit (FORMULA_DEPTH, LIMIT_FORMULA_DEPTH));
  assert_int_equal (count_met (), 0);
  assert_true (at_limit (ESCAPE_CONTEXTS, LIMIT_ESCAPE_CONTEXTS));
  assert_true (limit_was_met (LIMIT_ID_ESCAPE_CONTEXTS));
  assert_int_equal (count_met (), 1);
  assert_true (over_limit (FORMULA_DEPTH, LIMIT_FORMULA_DEPTH + 1));
  assert_int_equal (count_met (), 2);
  limits_forget ();
  assert_int_equal (count_met (), 0);
}

static void *note_all (void *ignored) {
  for (limit_id id = 0; id < NUM_LIMITS; id++) limit_note (id);
  return ignored;
}

// A limit is recorded even if the process is killed at once afterwards.
static void processes_share_the_record (void **state) {
  (void) state;
  limits_share ();
  assert_int_equal (count_met (), 0);
  pid_t child = fork ();
  if (!child) {
    limit_met (POINTSTO_TARGETS);
    raise (SIGKILL);
  }
  waitpid (child, NULL, 0);
  assert_int_equal (count_met (), 1);
  assert_true (limit_was_met (LIMIT_ID_POINTSTO_TARGETS));
  pthread_t other;
  pthread_create (&other, NULL, note_all, NULL);
  pthread_join (other, NULL);
  assert_int_equal (count_met (), NUM_LIMITS);
  limits_forget ();
}

static void texts_are_sentences (void **state) {
  (void) state;
  strbuf text = {0};
  limit_describe (LIMIT_ID_FORMULA_DEPTH, &text);
  assert_string_equal (strbuf_text (&text),
                       "formulas: at most 200 formulas inside one another; beyond that, the formula is refused");
  for (limit_id id = 0; id < NUM_LIMITS; id++) {
    const limit_row *r = limit_at (id);
    assert_true (r->value > 0 && *r->part && *r->counted && *r->beyond);
    assert_null (strchr (r->beyond, '|'));
    assert_false (strlen (r->beyond) && r->beyond[strlen (r->beyond) - 1] == '.');
    for (limit_id other = 0; other < id; other++)
      assert_false (!strcmp (limit_at (other)->part, r->part) && !strcmp (limit_at (other)->counted, r->counted));
  }
  strbuf_release (&text);
}

TEST_MAIN (cmocka_unit_test (comparisons_note), cmocka_unit_test (processes_share_the_record),
           cmocka_unit_test (texts_are_sentences))
