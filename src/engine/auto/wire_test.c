// What is written is read back; a message that is cut off or garbled is recognised.
#include "engine/auto/wire.h"

#include <string.h>

#include "base/rng.h"
#include "base/test.h"

static const char *const held[] = {"m", "table[3].lock"};

static wire_answer sample (void) {
  static const reason depth = {REASON_BOUND, "depth 7", {0}}, spent = {REASON_TIME, "time limit of 1 s", {0}};
  wire_answer a = answer_of_failure (1u << IR_P_RACE | 1u << IR_P_ASSERT, NULL);
  a.certificate = "circuit race\n";
  a.peak_bytes = (uint64_t) 5 << 32;
  a.answers[IR_P_RACE] = (property_answer){.status = GOAL_VIOLATED,
                                           .rest = GOAL_BOUNDED,
                                           .why = &depth,
                                           .message = "no",
                                           .engine = "order",
                                           .all_listed = true};
  a.answers[IR_P_ASSERT] =
      (property_answer){.status = GOAL_UNKNOWN, .rest = GOAL_UNKNOWN, .why = &spent, .engine = "order"};
  vec_push (&a.bounds, "unwind 3");
  vec_push (&a.assumptions, "");
  vec_push (&a.notes, "a note");
  vec_push (&a.stats, ((named_count){"states", 12345678901, "2 per step"}));
  vec_push (&a.stats, ((named_count){"walks", 0, NULL}));
  vec_push (&a.protections, ((protection){"count", PROTECTED_BY_LOCKS, 2, held, 9}));
  return a;
}

static void put_sample (strbuf *b) {
  wire_answer a = sample ();
  wire_put_answer (b, &a);
  answer_release (&a);
}

static void check_sample (const wire_answer *a) {
  assert_int_equal (answer_kind (a), VERDICT_BUG);
  assert_int_equal (reason_kind_of (answer_reason (a)), REASON_TIME);
  assert_string_equal (answer_reason (a)->text, "time limit of 1 s");
  assert_null (a->stop);
  assert_null (a->parted);
  assert_string_equal (a->certificate, "circuit race\n");
  assert_true (a->peak_bytes == (uint64_t) 5 << 32);
  const property_answer *race = &a->answers[IR_P_RACE];
  assert_int_equal (race->status, GOAL_VIOLATED);
  assert_int_equal (race->rest, GOAL_BOUNDED);
  assert_int_equal (race->why->kind, REASON_BOUND);
  assert_string_equal (race->message, "no");
  assert_string_equal (race->engine, "order");
  assert_true (race->all_listed);
  assert_null (a->answers[IR_P_ASSERT].message);
  assert_null (a->answers[IR_P_DEADLOCK].engine);
  assert_string_equal (a->bounds.data[0], "unwind 3");
  assert_string_equal (a->assumptions.data[0], "");
  assert_string_equal (a->notes.data[0], "a note");
  assert_true (a->stats.data[0].value == 12345678901 && !strcmp (a->stats.data[0].note, "2 per step"));
  assert_null (a->stats.data[1].note);
  assert_int_equal (a->protections.count, 1);
  assert_string_equal (a->protections.data[0].locks[1], "table[3].lock");
  assert_true (a->protections.data[0].accesses == 9);
}

static void answers_come_back (void **state) {
  (void) state;
  arena *arena = arena_new ();
  strbuf b = {0};
  put_sample (&b);
  uint32_t at = 0;
  message m;
  assert_int_equal (wire_take (&b, &at, arena, &m), WIRE_MESSAGE);
  assert_int_equal (m.kind, MESSAGE_ANSWER);
  assert_int_equal (at, b.count);
  check_sample (&m.answer);
  answer_release (&m.answer);
  strbuf_release (&b);
  arena_free (arena);
}

static void claims_and_progress_come_in_order (void **state) {
  (void) state;
  arena *arena = arena_new ();
  claim c = {.property = IR_P_RACE, .num_threads = 2, .thread = {1, 2}, .edge = {{7}, {9}}};
  schedule_add (&c.schedule, 0, 4);
  schedule_add (&c.schedule, 2, 1);
  vec_push (&c.schedule.choices, (ir_value) 1 << 100);
  strbuf b = {0};
  wire_put_progress (&b, "depth 3");
  wire_put_claim (&b, &c);
  uint32_t at = 0;
  message m;
  assert_int_equal (wire_take (&b, &at, arena, &m), WIRE_MESSAGE);
  assert_int_equal (m.kind, MESSAGE_PROGRESS);
  assert_string_equal (m.line, "depth 3");
  assert_int_equal (wire_take (&b, &at, arena, &m), WIRE_MESSAGE);
  assert_int_equal (m.kind, MESSAGE_CLAIM);
  assert_int_equal (m.claim.edge[1].i, 9);
  assert_int_equal (m.claim.thread[0], 1);
  assert_int_equal (m.claim.schedule.parts.count, 2);
  assert_int_equal (m.claim.schedule.parts.data[0].edges, 4);
  assert_true (m.claim.schedule.choices.data[0] == (ir_value) 1 << 100);
  assert_int_equal (wire_take (&b, &at, arena, &(message){0}), WIRE_MORE);
  schedule_release (&m.claim.schedule);
  schedule_release (&c.schedule);
  strbuf_release (&b);
  arena_free (arena);
}

// Every prefix of a message asks for more bytes; none is taken for a complete message.
static void beginnings_are_not_taken (void **state) {
  (void) state;
  arena *arena = arena_new ();
  strbuf whole = {0};
  put_sample (&whole);
  for (uint32_t count = 1; count < whole.count; count++) {
    strbuf part = {0};
    strbuf_add_bytes (&part, whole.data, count);
    uint32_t at = 0;
    assert_int_equal (wire_take (&part, &at, arena, &(message){0}), WIRE_MORE);
    assert_int_equal (at, 0);
    strbuf_release (&part);
  }
  strbuf_release (&whole);
  arena_free (arena);
}

// Changed bytes give another message, ask for more bytes, or are recognised; the reader never reads beyond the end,
// which a sanitizer would report.
static void changed_bytes_do_no_harm (void **state) {
  (void) state;
  rng random = {1};
  uint32_t noticed = 0;
  for (uint32_t round = 0; round < 3000; round++) {
    arena *arena = arena_new ();
    strbuf b = {0};
    put_sample (&b);
    uint32_t at = 0;
    b.data[rng_below (&random, b.count)] ^= (char) (1u << rng_below (&random, 8));
    message m = {0};
    wire_state s = wire_take (&b, &at, arena, &m);
    noticed += s == WIRE_GARBLED;
    if (s == WIRE_MESSAGE) {
      answer_release (&m.answer);
      schedule_release (&m.claim.schedule);
    }
    strbuf_release (&b);
    arena_free (arena);
  }
  assert_true (noticed > 100);
}

static void what_came_before_is_left_out (void **state) {
  (void) state;
  verdict v;
  verdict_init (&v);
  verdict_add_bound (&v, "an old bound");
  mark m = mark_of (&v);
  verdict_add_bound (&v, "a new one");
  v.answers[IR_P_RACE] = (property_answer){.status = GOAL_PROVED, .rest = GOAL_PROVED, .engine = "order"};
  wire_answer a;
  answer_since (&v, m, 1u << IR_P_RACE, &a);
  assert_int_equal (a.bounds.count, 1);
  assert_string_equal (a.bounds.data[0], "a new one");
  assert_int_equal (a.answers[IR_P_RACE].status, GOAL_PROVED);
  assert_int_equal (answer_kind (&a), VERDICT_SAFE);
  answer_release (&a);
  verdict_release (&v);
}

TEST_MAIN (cmocka_unit_test (answers_come_back), cmocka_unit_test (claims_and_progress_come_in_order),
           cmocka_unit_test (beginnings_are_not_taken), cmocka_unit_test (changed_bytes_do_no_harm),
           cmocka_unit_test (what_came_before_is_left_out))
