// Which values are worth knowing, and where they are known: seen in the states of a thread that locks on conditions.
#include "engine/locks/states/states_impl.h"

#include "engine/locks/states/states_test.h"

#define IS_ZERO "(r6 == 0:32)"
#define PLACE(NAME) "store.8 &x, 1:64 name '" NAME "'; "
// Locks unless the first condition holds, unlocks unless the second does; `between` stands in between.
#define GUARDED(FIRST, BETWEEN, SECOND)                                        \
  "r6 = nondet; if " FIRST " L1; " LOCK ("&a") "L1: " PLACE ("inside") BETWEEN \
      "if " SECOND " L2; " UNLOCK ("&a") "L2: " PLACE ("outside") RETURN

static void init_tracked (lock_fixture *f, const char *one) {
  fixture_init (f, CREATE ("one", "0:64") EXIT, one, NULL, NULL);
}

// What the thread holds before the edge, over all its states.
static void assert_states (lock_fixture *f, const char *edge, uint32_t with_lock, uint32_t without, uint32_t known) {
  states all = states_at (f, "one", edge);
  uint32_t holding = 0;
  for (uint32_t k = 0; k < all.count; k++) {
    holding += all.data[k].num_held > 0;
    assert_int_equal (all.data[k].num_tracked, known);
  }
  assert_int_equal (holding, with_lock);
  assert_int_equal (all.count - holding, without);
  vec_release (&all);
}

static bool wants_register (lock_fixture *f, uint32_t reg) {
  ir_proc one = proc_named (f, "one");
  return value_is_tracked (&f->a, one, value_reg (&f->a.values, one, reg));
}

static void a_condition_tested_twice_decides_the_second_time (void **state) {
  (void) state;
  lock_fixture f;
  init_tracked (&f, GUARDED (IS_ZERO, "", IS_ZERO));
  assert_states (&f, "inside", 1, 1, 1);
  assert_states (&f, "outside", 0, 1, 0);  // known until the last test
  fixture_release (&f);
}

static void a_condition_and_its_negation_are_one (void **state) {
  (void) state;
  lock_fixture f;
  init_tracked (&f, GUARDED (IS_ZERO, "", "(" IS_ZERO " ^ 1:1)"));
  assert_states (&f, "outside", 1, 1, 0);  // the other way round: it unlocks what it has not
  fixture_release (&f);
  init_tracked (&f, GUARDED ("(r6 s< 5:32)", "", "((5:32 s<= r6) == 0:1)"));
  assert_states (&f, "outside", 0, 1, 0);
  fixture_release (&f);
}

static void different_conditions_do_not_decide_each_other (void **state) {
  (void) state;
  lock_fixture f;
  init_tracked (&f, GUARDED (IS_ZERO, "", "(r6 == 1:32)"));
  assert_states (&f, "inside", 1, 1, 0);
  assert_states (&f, "outside", 1, 2, 0);
  fixture_release (&f);
}

static void a_register_that_changed_is_no_longer_known (void **state) {
  (void) state;
  lock_fixture f;
  init_tracked (&f, GUARDED (IS_ZERO, "r6 = nondet; " PLACE ("changed"), IS_ZERO));
  assert_states (&f, "inside", 1, 1, 0);
  assert_states (&f, "changed", 1, 1, 0);
  states all = states_at (&f, "one", "outside");
  assert_int_equal (all.count, 3);  // one that locked and did not unlock, one that unlocked, one that unlocked alone
  vec_release (&all);
  fixture_release (&f);
}

static void only_what_is_tested_again_is_wanted (void **state) {
  (void) state;
  lock_fixture f;
  init_tracked (
      &f, LOCK ("&a") "r6 = nondet; r7 = nondet; if " IS_ZERO " L1; if (r7 == 0:32) L1; if " IS_ZERO
                      " L1; " UNLOCK ("&a") "L1: store.8 &x, zext.64(" IS_ZERO
                                            ") name 'twice'; store.8 &x, zext.64((r7 == 0:32)) name 'once'; " RETURN);
  ir_proc one = proc_named (&f, "one");
  value_node twice = *value_node_at (&f.a.values, value_of (&f, "twice", 1)),
             once = *value_node_at (&f.a.values, value_of (&f, "once", 1));
  assert_true (value_is_tracked (&f.a, one, (value_term){twice.a}));
  assert_false (value_is_tracked (&f.a, one, (value_term){once.a}));
  fixture_release (&f);
}

// r7 is 1 where the lock was taken.
#define FLAGGED(SET)                                            \
  "r10 = nondet; r7 = assign 0:32; if r10 L1; " LOCK ("&a") SET \
      "L1: " PLACE ("inside") "if (r7 == 0:32) L2; " UNLOCK ("&a") "L2: " PLACE ("outside") RETURN

static void a_flag_is_known (void **state) {
  (void) state;
  lock_fixture f;
  init_tracked (&f, FLAGGED ("r7 = assign 1:32; "));
  assert_true (wants_register (&f, 7));
  assert_states (&f, "inside", 1, 1, 1);
  assert_states (&f, "outside", 0, 1, 0);
  fixture_release (&f);
  init_tracked (&f, FLAGGED ("r7 = nondet; "));
  assert_false (wants_register (&f, 7));
  fixture_release (&f);
  init_tracked (&f, FLAGGED ("r7 = assign (r7 + 1:32); "));  // it counts
  assert_false (wants_register (&f, 7));
  fixture_release (&f);
}

static void the_result_of_trying_tells_whether_it_is_held (void **state) {
  (void) state;
  lock_fixture f;
  init_tracked (&f, "r8 = mutex_trylock &a; if (r8 != 0:32) L1; " PLACE ("taken") UNLOCK ("&a") RETURN
                "L1: " PLACE ("busy") RETURN);
  assert_true (wants_register (&f, 8));
  assert_states (&f, "taken", 1, 0, 0);
  assert_states (&f, "busy", 0, 1, 0);
  fixture_release (&f);
}

static void what_is_not_tested_any_more_is_dropped (void **state) {
  (void) state;
  lock_fixture f;
  init_tracked (&f, GUARDED (IS_ZERO, "", IS_ZERO));
  ir_proc one = proc_named (&f, "one");
  effect e = {0};
  effect_track (&e, (value_term){f.a.summaries[one.i].tracked.data[0]}, 1);
  drop_dead_values (&f.a, place_of (&f, "inside"), &e);
  assert_int_equal (e.num_tracked, 1);
  drop_dead_values (&f.a, place_of (&f, "outside"), &e);
  assert_int_equal (e.num_tracked, 0);
  fixture_release (&f);
}

TEST_MAIN (cmocka_unit_test (a_condition_tested_twice_decides_the_second_time),
           cmocka_unit_test (a_condition_and_its_negation_are_one),
           cmocka_unit_test (different_conditions_do_not_decide_each_other),
           cmocka_unit_test (a_register_that_changed_is_no_longer_known),
           cmocka_unit_test (only_what_is_tested_again_is_wanted), cmocka_unit_test (a_flag_is_known),
           cmocka_unit_test (the_result_of_trying_tells_whether_it_is_held),
           cmocka_unit_test (what_is_not_tested_any_more_is_dropped))
