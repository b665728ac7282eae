// Without the sticky steps no cycle is left; where there is no cycle, no step is sticky.
#include "engine/circuit/sticky_steps.h"

#include "efsm/efsm_test.h"

enum { MACHINES = 300, MAX_STEPS = 64 };

// Removes steps whose successors are all removed, until nothing changes: if a step stays, there is a cycle.
static uint32_t steps_on_cycles (const folded *f, const uint8_t *removed_before) {
  uint8_t removed[MAX_STEPS];
  uint32_t left = 0;
  for (uint32_t k = 0; k < f->steps.count; k++) left += !(removed[k] = removed_before && removed_before[k]);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = 0; k < f->steps.count; k++) {
      bool leads_on = false;
      for (uint32_t e = 0; e < f->steps.data[k].exits.count; e++) {
        uint32_t to = f->steps.data[k].exits.data[e].to;
        leads_on |= to != FOLD_STUCK && !removed[to];
      }
      if (removed[k] || leads_on) continue;
      removed[k] = changed = true;
      left--;
    }
  }
  return left;
}

static void every_cycle_has_a_sticky_step (void **state) {
  (void) state;
  uint32_t cyclic = 0, sticky_in_all = 0, steps = 0;
  for (uint64_t seed = 1; seed <= MACHINES; seed++) {
    random_machine r;
    random_machine_init (&r, seed, 2, 8, seed % 3);
    for (uint32_t p = 0; p < r.m.points.count; p++) r.m.points.data[p].shared = r.m.points.data[p].opens = true;
    folded f;
    fold (&r.m, &f);
    uint8_t sticky[MAX_STEPS] = {0};
    assert_true (f.steps.count <= MAX_STEPS);
    uint32_t count = find_sticky_steps (&f, sticky), marked = 0;
    for (uint32_t k = 0; k < f.steps.count; k++) marked += sticky[k];
    assert_int_equal (count, marked);
    assert_int_equal (steps_on_cycles (&f, sticky), 0);
    bool has_cycle = steps_on_cycles (&f, NULL);
    assert_int_equal (count > 0, has_cycle);
    cyclic += has_cycle;
    if (has_cycle) sticky_in_all += count, steps += f.steps.count;
    folded_release (&f);
    efsm_release (&r.m);
  }
  assert_true (cyclic > MACHINES / 3 && cyclic < MACHINES);
  assert_true (sticky_in_all * 3 < steps);  // few steps are sticky
}

TEST_MAIN (cmocka_unit_test (every_cycle_has_a_sticky_step))
