// The order of findings: by hand, and random findings against a naive model that picks one group after the other.
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/test.h"
#include "report/report_impl.h"
#include "report/report_sample.h"

static void add (verdict *v, const char *id, ir_property p, const char *about) {
  vec_push (&v->goals, ((goal){.id = id, .property = p, .status = GOAL_VIOLATED, .message = "m", .about = about}));
}

static void numbers_outside_names_do_not_count (void **state) {
  (void) state;
  arena *a = arena_new ();
  assert_string_equal (without_numbers (a, "buf[12]"), "buf[#]");
  assert_string_equal (without_numbers (a, "heap object of a2.c:25"), "heap object of a2.c:#");
  assert_string_equal (without_numbers (a, "x2 held by thread 10"), "x2 held by thread #");
  assert_string_equal (without_numbers (a, "7"), "#");
  assert_string_equal (without_numbers (a, ""), "");
  arena_free (a);
}

static void severe_ones_come_first (void **state) {
  (void) state;
  verdict v;
  verdict_init (&v);
  add (&v, "race-1", IR_P_RACE, "x");
  add (&v, "locks-1", IR_P_LOCKS, "m");
  add (&v, "race-2", IR_P_RACE, "a[1]");
  add (&v, "deadlock-1", IR_P_DEADLOCK, "m");
  add (&v, "assert-1", IR_P_ASSERT, NULL);
  add (&v, "race-3", IR_P_RACE, "a[2]");
  add (&v, "memory-1", IR_P_MEMORY, "a[0]");
  add (&v, "assert-2", IR_P_ASSERT, NULL);
  static const char *const wanted[] = {"memory-1", "race-2", "race-3",     "assert-1",
                                       "assert-2", "race-1", "deadlock-1", "locks-1"};
  static const uint32_t groups[] = {3, 4, 5, 6, 8};
  grouping g = {0};
  group_bugs (&v, &g);
  assert_int_equal (g.count, 8);
  for (uint32_t k = 0; k < g.count; k++) assert_string_equal (g.data[k].goal->id, wanted[k]);
  for (uint32_t k = 0, first = 0; k < 5; k++) assert_int_equal (first = group_end (&g, first), groups[k]);
  vec_release (&g);
  verdict_release (&v);
}

static void a_group_has_one_heading (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  s.verdict.goals.data[0].about = "counter";
  goal again = {
      .id = "race-2", .property = IR_P_RACE, .status = GOAL_VIOLATED, .message = "the second one", .about = "counter"};
  sample_step (&again, 0, 30, "main", IR_STEP_STORE, "counter", "5", NULL);
  vec_push (&s.verdict.goals, again);
  add (&s.verdict, "memory-1", IR_P_MEMORY, "counter");
  char *text = sample_write (&s.input, report_text);
  assert_non_null (strstr (text, "\n`counter`: 1 memory error, 2 races\n\nmemory-1: m\n"));
  assert_non_null (strstr (text, "race-2: the second one\n\n  (like the one before; --full-trace"));
  assert_null (strstr (text, "write counter = 5"));
  free (text);
  s.input.style.full_trace = true;
  text = sample_write (&s.input, report_text);
  assert_non_null (strstr (text, "write counter = 5"));
  assert_null (strstr (text, "like the one before"));
  free (text);
  sample_release (&s);
}

// Each property has a noun of its own in headings.
static void headings_name_every_property (void **state) {
  (void) state;
  static const char *const words[IR_NUM_PROPERTIES] = {[IR_P_ASSERT] = "2 failed assertions",
                                                       [IR_P_RACE] = "2 races",
                                                       [IR_P_DEADLOCK] = "2 deadlocks",
                                                       [IR_P_LOCKS] = "2 lock misuses",
                                                       [IR_P_MEMORY] = "2 memory errors",
                                                       [IR_P_OVERFLOW] = "2 overflows",
                                                       [IR_P_LEAK] = "2 leaks",
                                                       [IR_P_UNINIT] = "2 unwritten values"};
  for (unsigned p = 0; p < IR_NUM_PROPERTIES; p++) {
    sample s;
    sample_init (&s);
    verdict_drop_goal (&s.verdict, 0);
    add (&s.verdict, "one", (ir_property) p, "counter");
    add (&s.verdict, "two", (ir_property) p, "counter");
    char *text = sample_write (&s.input, report_text);
    if (!strstr (text, words[p])) fail_msg ("%s is not there:\n%s", words[p], text);
    free (text);
    sample_release (&s);
  }
}

// ---- a naive model ----------------------------------------------------------------------------------
static bool is_better (const goal *a, uint32_t i, const goal *b, uint32_t k) {
  unsigned p = severity_rank (a->property), q = severity_rank (b->property);
  return p < q || (p == q && i < k);
}

// Returns the best of the remaining findings, of one subject if it is given.
static uint32_t best (const verdict *v, const bool *taken, const char *about) {
  uint32_t found = IR_NONE;
  for (uint32_t k = 0; k < v->goals.count; k++) {
    const goal *g = &v->goals.data[k];
    if (taken[k] || (about && (!g->about || strcmp (g->about, about)))) continue;
    if (found == IR_NONE || is_better (g, k, &v->goals.data[found], found)) found = k;
  }
  return found;
}

static void random_findings (void **state) {
  (void) state;
  static const char *const subjects[] = {NULL, "x", "y", "z", "list.head"};
  rng r = {11};
  for (unsigned round = 0; round < 300; round++) {
    verdict v;
    verdict_init (&v);
    uint32_t count = (uint32_t) rng_below (&r, 12);
    for (uint32_t k = 0; k < count; k++)
      add (&v, "g", (ir_property) rng_below (&r, IR_NUM_PROPERTIES), subjects[rng_below (&r, 5)]);
    grouping g = {0};
    group_bugs (&v, &g);
    assert_int_equal (g.count, count);
    bool taken[12] = {false};
    for (uint32_t k = 0; k < count;) {
      uint32_t leader = best (&v, taken, NULL);
      const char *about = v.goals.data[leader].about;
      for (uint32_t next = leader; next != IR_NONE; next = about ? best (&v, taken, about) : IR_NONE) {
        assert_int_equal (g.data[k++].number, next);
        taken[next] = true;
      }
    }
    vec_release (&g);
    verdict_release (&v);
  }
}

TEST_MAIN (cmocka_unit_test (numbers_outside_names_do_not_count), cmocka_unit_test (severe_ones_come_first),
           cmocka_unit_test (a_group_has_one_heading), cmocka_unit_test (headings_name_every_property),
           cmocka_unit_test (random_findings))
