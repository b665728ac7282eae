// Possible violations in the reports: grouped by what they are about, the likeliest first and in full; in JSON all of
// them with their sides; and read back as findings that cannot be replayed.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/test.h"
#include "report/report_impl.h"
#include "report/report_sample.h"

static void add_side (goal *g, uint32_t thread, const char *entry, uint32_t line) {
  goal_side s = {.entry = entry,
                 .thread = thread,
                 .pos = {"dir/a.c", line, 3},
                 .function = entry,
                 .what = "write of `count`",
                 .role = {.kind = ROLE_WRITES, .object = "count"}};
  if (thread) s.created = (ir_position){"dir/a.c", 30, 1};
  vec_push (&s.stack, ((goal_call){entry, {0}}));
  vec_push (&s.stack, ((goal_call){"helper", {"dir/a.c", line + 1, 5}}));
  static const char *const after[] = {"n", "k"};
  vec_push (&s.held, ((goal_lock){.name = "m", .taken = {"dir/a.c", line - 1, 3}, .num_after = 2, .after = after}));
  vec_push (&g->sides, s);
  vec_push (&g->locations, ((goal_location){s.pos, entry, thread, s.what, s.role}));
}

static void add_possible (verdict *v, const char *id, const char *about, uint32_t doubt) {
  goal g = {.id = id, .property = IR_P_RACE, .status = GOAL_UNKNOWN, .engine = "locks", .about = about, .doubt = doubt};
  g.message = arena_printf (v->arena, "possible data race on `%s`", about);
  add_side (&g, 0, "main", 10);
  add_side (&g, 1, "worker", 20);
  g.claim.num_threads = 2;
  g.claim.thread[1] = 1;
  if (doubt % 2) g.no_steps = "the locks do not allow it";
  else {
    sample_step (&g, 0, 9, "main", IR_STEP_LOCK, "m", NULL, "m");
    sample_step (&g, 0, 10, "main", IR_STEP_STORE, about, NULL, "m");
    sample_step (&g, 1, 20, "worker", IR_STEP_STORE, about, NULL, NULL);
  }
  vec_push (&v->goals, g);
}

static void make (sample *s) {
  sample_init (s);
  add_possible (&s->verdict, "possible-race-1", "x", 50);
  add_possible (&s->verdict, "possible-race-2", "count", 20);
  add_possible (&s->verdict, "possible-race-3", "x", 10);
  for (uint32_t k = 0; k < 4; k++) add_possible (&s->verdict, "possible-race-n", "count", 31);
  vec_push (&s->verdict.goals, ((goal){.id = "race",
                                       .property = IR_P_RACE,
                                       .status = GOAL_UNKNOWN,
                                       .engine = "locks",
                                       .message = "7 pairs of accesses may happen in parallel"}));
}

static void assert_order (const char *text, const char *const *parts, size_t count) {
  for (size_t k = 0; k < count; k++) {
    const char *found = strstr (text, parts[k]);
    if (!found) fail_msg ("`%s` is not there, or not behind `%s`", parts[k], k ? parts[k - 1] : "the beginning");
    text = found + strlen (parts[k]);
  }
}

static void text_is_grouped (void **state) {
  (void) state;
  sample s;
  make (&s);
  char *text = sample_write (&s.input, report_text);
  static const char *const parts[] = {"race-1: data race on",
                                      "possible-race-3",
                                      "thread 0 (main): write of `count` at dir/a.c:10 in main",
                                      "called: main > helper (at dir/a.c:11)",
                                      "holds m (taken at dir/a.c:9; then taken: n, k)",
                                      "thread 1 (worker, created at dir/a.c:30)",
                                      "an interleaving that the locks allow",
                                      "lock m  {m}",
                                      ">>",
                                      "possible-race-1",
                                      "possible-race-2",
                                      "possible-race-n",
                                      "and 2 more about count"};
  assert_order (text, parts, sizeof parts / sizeof *parts);
  free (text);
  sample_release (&s);
}

// Two may-held locks are named; of a long call path, its beginning and its end.
static void what_is_possible_is_short (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  add_possible (&s.verdict, "possible-race-1", "x", 0);
  goal *g = &vec_last (&s.verdict.goals);
  for (uint32_t k = 0; k < 5; k++)
    vec_push (
        &g->sides.data[0].held,
        ((goal_lock){.name = arena_printf (s.verdict.arena, "p%u", k), .taken = {"dir/a.c", 2, 1}, .perhaps = true}));
  for (uint32_t k = 0; k < 100; k++)
    sample_step (g, 0, 100 + k, "main", IR_STEP_LOCK, arena_printf (s.verdict.arena, "l%u", k), NULL, NULL);
  char *text = sample_write (&s.input, report_text);
  static const char *const parts[] = {
      "perhaps p0 (taken at dir/a.c:2), perhaps p1 (taken at dir/a.c:2), perhaps 3 more", "lock l2\n", "steps left out",
      "lock l98\n"};
  assert_order (text, parts, sizeof parts / sizeof *parts);
  assert_null (strstr (text, "lock l50\n"));
  free (text);
  sample_release (&s);
}

static void reason_is_shown (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  add_possible (&s.verdict, "possible-race-1", "x", 11);
  char *text = sample_write (&s.input, report_text);
  assert_non_null (strstr (text, "no interleaving is shown: the locks do not allow it"));
  free (text);
  s.input.style.quiet = true;
  text = sample_write (&s.input, report_text);
  assert_non_null (strstr (text, "possible-race-1: possible data race on `x`"));
  assert_null (strstr (text, "holds m"));
  free (text);
  sample_release (&s);
}

static void json_is_complete (void **state) {
  (void) state;
  sample s;
  make (&s);
  char *text = sample_write (&s.input, report_json);
  static const char *const parts[] = {"\"certainty\": \"confirmed\"",
                                      "\"possible-race-1\"",
                                      "\"certainty\": \"possible\"",
                                      "\"about\": \"x\"",
                                      "\"doubt\": 50",
                                      "\"sides\": [",
                                      "\"entry\":\"main\"",
                                      "\"created\":null",
                                      "\"then\":[\"n\",\"k\"]",
                                      "\"created\":{\"file\":\"dir/a.c\",\"line\":30}",
                                      "\"no_trace\": null"};
  assert_order (text, parts, sizeof parts / sizeof *parts);
  const char *claim = strstr (text, "\"claim\"");
  assert_non_null (claim);
  assert_null (strstr (claim + 1, "\"claim\""));
  free (text);
  sample_release (&s);
}

static void cannot_be_replayed (void **state) {
  (void) state;
  sample s;
  make (&s);
  char path[] = "/tmp/lockstep-possible-XXXXXX";
  int file = mkstemp (path);
  assert_true (file >= 0);
  close (file);
  strbuf why = {0};
  assert_true (report_file_write (path, true, report_json, &s.input, &why));
  report_saved saved;
  assert_true (report_saved_load (&saved, path, &why));
  assert_int_equal (saved.goals.count, 8);
  for (uint32_t k = 0; k < saved.goals.count; k++)
    assert_int_equal (saved.goals.data[k].has_claim, !strcmp (saved.goals.data[k].id, "race-1"));
  report_saved_release (&saved);
  strbuf_release (&why);
  unlink (path);
  sample_release (&s);
}

static void graph_marks_circles (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  static const char *const pairs[][2] = {{"a", "b"}, {"b", "c"}, {"c", "b"}, {"q\"x", "a"}};
  for (size_t k = 0; k < 4; k++)
    vec_push (&s.verdict.lock_orders, ((lock_order){pairs[k][0], pairs[k][1], {"dir/a.c", (uint32_t) k + 1, 1}, "f"}));
  char *text = sample_write (&s.input, report_lock_graph);
  assert_non_null (strstr (text, "\"a\" -> \"b\" [label = \"a.c:1\"];"));
  assert_non_null (strstr (text, "\"b\" -> \"c\" [label = \"a.c:2\", color = red];"));
  assert_non_null (strstr (text, "\"c\" -> \"b\" [label = \"a.c:3\", color = red];"));
  assert_non_null (strstr (text, "\"q\\\"x\" -> \"a\""));
  free (text);
  s.input.style.lock_report = true;
  text = sample_write (&s.input, report_text);
  assert_non_null (strstr (text, "  b -> c  dir/a.c:2 in f  (in a circle)\n"));
  free (text);
  sample_release (&s);
}

static void forgotten_locks_are_advice (void **state) {
  (void) state;
  sample s;
  sample_init (&s);
  uneven_return u = {"f", "m", {"dir/a.c", 5, 1}, {"dir/a.c", 7, 1}, {"dir/a.c", 10, 1}, {"dir/a.c", 9, 1}};
  vec_push (&s.verdict.uneven_returns, u);
  u.given_back.file = NULL;
  vec_push (&s.verdict.uneven_returns, u);
  char *text = sample_write (&s.input, report_text);
  assert_null (strstr (text, "advice"));
  free (text);
  s.semantics.properties |= 1u << IR_P_LOCKS;
  text = sample_write (&s.input, report_text);
  assert_non_null (strstr (text,
                           "  f returns with `m` held on some paths only\n    taken at dir/a.c:5, held when it returns "
                           "after dir/a.c:7, not held when it returns after dir/a.c:10 (given back at dir/a.c:9)\n"));
  assert_non_null (strstr (text, "after dir/a.c:10 (not taken there)\n"));
  free (text);
  text = sample_write (&s.input, report_json);
  assert_non_null (strstr (text, "\"without\":{\"file\":\"dir/a.c\",\"line\":10},\"given_back\":null}"));
  free (text);
  sample_release (&s);
}

TEST_MAIN (cmocka_unit_test (text_is_grouped), cmocka_unit_test (what_is_possible_is_short),
           cmocka_unit_test (reason_is_shown), cmocka_unit_test (json_is_complete),
           cmocka_unit_test (cannot_be_replayed), cmocka_unit_test (graph_marks_circles),
           cmocka_unit_test (forgotten_locks_are_advice))
