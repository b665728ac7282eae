// A proof needs evidence, and a verdict is as good as the worst of its properties.  The random test draws endings and
// compares the kind of the verdict with what the goals say.
#include "engine/engine.h"

#include "base/rng.h"
#include "base/test.h"

static const completion complete = {true}, cut_short = {false};
static const reason unwind = {REASON_BOUND, "unwind 3", {0}}, spent = {REASON_TIME, "time limit of 1 s", {0}};

static void a_proof_needs_evidence (void **state) {
  (void) state;
  assert_int_equal (ending_proved (complete, "searched").status, GOAL_PROVED);
  assert_string_equal (ending_proved (complete, "searched").message, "searched");
  assert_int_equal (ending_proved (cut_short, "searched").status, GOAL_UNKNOWN);
  assert_string_not_equal (ending_proved (cut_short, "searched").message, "searched");
  assert_int_equal (ending_proved ((completion){0}, "searched").status, GOAL_UNKNOWN);
}

static void a_bound_makes_a_proof_bounded_only (void **state) {
  (void) state;
  assert_int_equal (ending_proved_within (complete, "searched", NULL).status, GOAL_PROVED);
  assert_int_equal (ending_proved_within (complete, "searched", &unwind).status, GOAL_BOUNDED);
  assert_int_equal (ending_proved_within (cut_short, "searched", &unwind).status, GOAL_UNKNOWN);
}

// As engines do, the test works under the budget of the run, and under parts of it.
static void budgets_give_the_evidence (void **state) {
  (void) state;
  budget whole, part;
  budget_start (&whole, 1000, 0);
  budget_part (&part, &whole, 1);
  part.start -= 2;
  assert_non_null (budget_spent (&part));
  assert_int_equal (ending_proved (budget_completion (&part), "").status, GOAL_UNKNOWN);
  assert_int_equal (ending_proved (budget_completion (&whole), "").status, GOAL_PROVED);
  budget copy = whole;
  copy.start -= 2000;
  assert_non_null (budget_spent (&copy));
  assert_int_equal (ending_proved (budget_completion (&whole), "").status, GOAL_UNKNOWN);
}

static ending draw (rng *r) {
  switch (rng_below (r, 4)) {
  case 0: return ending_unknown (&spent);
  case 1: return ending_bounded (&unwind);
  case 2: return ending_proved (cut_short, "searched");
  default: return ending_proved (complete, "searched");
  }
}

// Naive: a bug if there is one, else as good as the worst; safe only if each property is proved.
static verdict_kind kind_by_hand (uint32_t bugs, uint32_t asked, uint32_t proved, uint32_t bounded) {
  if (bugs) return VERDICT_BUG;
  if (asked && !(asked & ~proved)) return VERDICT_SAFE;
  return asked && !(asked & ~proved & ~bounded) ? VERDICT_BOUNDED : VERDICT_UNKNOWN;
}

static void random_against_naive (void **state) {
  (void) state;
  rng r = {11};
  for (int round = 0; round < 2000; round++) {
    verdict v;
    verdict_init (&v);
    uint32_t asked = 0, bugs = 0, proved = 0, bounded = 0;
    task task = {0};
    budget b;
    budget_start (&b, 0, 0);
    engine_run run = {.task = &task, .budget = &b, .verdict = &v, .engine = "test"};
    for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) asked |= rng_below (&r, 2) << p;
    task.semantics.properties = asked;
    for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) {
      bool bug = asked >> p & 1 && !rng_below (&r, 9);
      ending e = draw (&r);
      if (bug) vec_push (&v.goals, ((goal){.property = (ir_property) p, .status = GOAL_VIOLATED}));
      if (rng_below (&r, 9)) engine_summarise_one (&run, (ir_property) p, e);
      else e = ending_unknown (NULL);  // the engine gave no answer
      bugs |= (uint32_t) bug << p;
      proved |= (uint32_t) (e.status == GOAL_PROVED) << p;
      bounded |= (uint32_t) (e.status == GOAL_BOUNDED) << p;
    }
    bool stops = !rng_below (&r, 9);
    if (stops) verdict_stop (&v, &spent);
    verdict_settle (&v, asked);
    verdict_kind expected = kind_by_hand (bugs, asked, proved, bounded);
    assert_int_equal (v.kind, stops && !bugs ? VERDICT_UNKNOWN : expected);
    if (v.kind == VERDICT_SAFE) assert_null (v.reason);
    if (v.kind == VERDICT_BOUNDED) assert_string_equal (v.reason->text, "unwind 3");
    if (stops) assert_ptr_equal (v.reason, &spent);
    verdict_release (&v);
  }
}

// A finding that rests on an invented value is no bug and no proof.
static void conditions_bound_a_proof (void **state) {
  (void) state;
  verdict v;
  verdict_init (&v);
  goal g = {.property = IR_P_MEMORY, .status = GOAL_CONDITIONAL};
  vec_push (&g.conditions, ((goal_condition){.text = "`f` returns null"}));
  vec_push (&v.goals, g);
  v.answers[IR_P_MEMORY] = (property_answer){.status = ending_proved (complete, "").status};
  verdict_settle (&v, 1u << IR_P_MEMORY);
  assert_int_equal (v.kind, VERDICT_BOUNDED);
  assert_int_equal (v.reason->kind, REASON_CONDITION);
  verdict_release (&v);
}

// After a bug, the verdict's reason says why the search ended early, whichever property was left open.
static void a_bug_has_the_reason_of_any_property (void **state) {
  (void) state;
  static const reason skipped = {REASON_NOT_CHECKED, "engine test does not check locks", {0}};
  verdict v;
  verdict_init (&v);
  vec_push (&v.goals, ((goal){.property = IR_P_ASSERT, .status = GOAL_VIOLATED}));
  v.answers[IR_P_ASSERT] = (property_answer){.status = GOAL_VIOLATED, .rest = GOAL_PROVED};
  v.answers[IR_P_LOCKS] = (property_answer){.status = GOAL_UNKNOWN, .why = &skipped};
  verdict_settle (&v, 1u << IR_P_ASSERT | 1u << IR_P_LOCKS);
  assert_int_equal (v.kind, VERDICT_BUG);
  assert_null (v.reason);
  v.answers[IR_P_DEADLOCK] = (property_answer){.status = GOAL_BOUNDED, .why = &unwind};
  verdict_settle (&v, 1u << IR_P_ASSERT | 1u << IR_P_DEADLOCK | 1u << IR_P_LOCKS);
  assert_ptr_equal (v.reason, &unwind);
  verdict_release (&v);
}

TEST_MAIN (cmocka_unit_test (a_proof_needs_evidence), cmocka_unit_test (a_bound_makes_a_proof_bounded_only),
           cmocka_unit_test (budgets_give_the_evidence), cmocka_unit_test (random_against_naive),
           cmocka_unit_test (conditions_bound_a_proof), cmocka_unit_test (a_bug_has_the_reason_of_any_property))
