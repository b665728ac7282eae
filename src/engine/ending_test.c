// A proof needs evidence, and a verdict is as good as the worst of its properties.  The random test draws endings and compares the kind of the
// verdict with what the goals say.
#include "engine/ending.h"

#include "base/rng.h"
#include "base/test.h"

static const completion complete = {true}, cut_short = {false};

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
  assert_int_equal (ending_proved_within (complete, "searched", "unwind 3").status, GOAL_BOUNDED);
  assert_int_equal (ending_proved_within (cut_short, "searched", "unwind 3").status, GOAL_UNKNOWN);
}

// What engines do: work under the run's budget, and under parts of it.
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
  case 0: return ending_unknown ("time");
  case 1: return ending_bounded ("unwind 3");
  case 2: return ending_proved (cut_short, "searched");
  default: return ending_proved (complete, "searched");
  }
}

static void random_against_goals (void **state) {
  (void) state;
  rng r = {11};
  for (int round = 0; round < 2000; round++) {
    verdict v;
    verdict_init (&v);
    ending worst = {0};
    uint32_t asked = 0, bugs = 0;
    for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) {
      if (rng_below (&r, 2)) continue;
      asked |= 1u << p;
      bool bug = !rng_below (&r, 5);
      ending e = draw (&r);
      vec_push (&v.goals, ((goal){.property = (ir_property) p, .status = bug ? GOAL_VIOLATED : e.status}));
      if (!bug) worst = ending_worse (worst, e);
      bugs += bug;
    }
    if (asked) {
      assert_int_equal (ending_kind_of_goals (&v, asked) == VERDICT_SAFE, ending_kind (bugs, worst) == VERDICT_SAFE);
      assert_int_equal (ending_kind_of_goals (&v, asked) == VERDICT_BUG, ending_kind (bugs, worst) == VERDICT_BUG);
    }
    verdict_release (&v);
  }
}

TEST_MAIN (cmocka_unit_test (a_proof_needs_evidence), cmocka_unit_test (a_bound_makes_a_proof_bounded_only),
           cmocka_unit_test (budgets_give_the_evidence), cmocka_unit_test (random_against_goals))
