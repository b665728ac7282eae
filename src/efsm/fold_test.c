// On random machines and values: a large step does what its points do one after the other, and meets the same goals and
// omissions.
#include "efsm/fold.h"

#include "efsm/efsm_test.h"

enum { MACHINES = 300, VALUES = 20, STAYS = UINT32_MAX - 2 };

static bool condition_holds (machine_run *r, term t) {
  substitution_begin (&r->substitution, run_leaf, r);
  return run_value (r, t);
}

// Goals and omissions that the run has met, by point and number, each as one number.
static void note_met (machine_run *r, uint32_t point, map *met) {
  const efsm_point *p = &r->m->points.data[point];
  for (uint32_t k = 0; k < p->goals.count; k++)
    if (condition_holds (r, p->goals.data[k].condition)) map_insert (met, (uint64_t) point << 8 | k << 1, 0, NULL);
  for (uint32_t k = 0; k < p->losses.count; k++)
    if (condition_holds (r, p->losses.data[k].condition)) map_insert (met, (uint64_t) point << 8 | k << 1 | 1, 0, NULL);
}

// From the point of the step to the beginning of the next one; inputs keep their values.
static uint32_t go (machine_run *r, const folded *f, uint32_t thread, uint32_t start, map *met) {
  run_log log = {0};
  uint32_t to = STAYS;
  r->at.data[thread] = start;
  for (;;) {
    note_met (r, r->at.data[thread], met);
    bool moved = run_step (r, thread, &log);
    r->step = 0;
    if (!moved) break;
    to = f->step_of.data[r->at.data[thread]];
    if (to != IR_NONE) break;
    to = FOLD_STUCK;
  }
  vec_release (&log);
  return to;
}

static uint32_t exit_of (machine_run *r, const fold_step *s) {
  uint32_t to = STAYS;
  for (uint32_t k = 0; k < s->exits.count; k++)
    if (condition_holds (r, s->exits.data[k].condition)) {
      assert_int_equal (to, STAYS);
      to = s->exits.data[k].to;
    }
  return to;
}

static void assert_same_met (machine_run *r, const fold_step *s, const map *met) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < s->goals.count; k++) {
    bool is = condition_holds (r, s->goals.data[k].condition);
    assert_int_equal (is,
                      map_find (met, (uint64_t) s->goals.data[k].point << 8 | s->goals.data[k].number << 1) != NULL);
    count += is;
  }
  for (uint32_t k = 0; k < s->losses.count; k++) {
    bool is = condition_holds (r, s->losses.data[k].condition);
    assert_int_equal (is, map_find (met, (uint64_t) s->losses.data[k].point << 8 | s->losses.data[k].number << 1 | 1) !=
                              NULL);
    count += is;
  }
  assert_int_equal (count, met->entries.count);
}

static void compare (efsm *m, const folded *f, const fold_step *s, uint64_t seed) {
  machine_run r, again;
  run_init (&r, m, seed);
  run_init (&again, m, seed);
  rng values = {seed};
  for (uint32_t v = 0; v < m->variables.count; v++) {
    unsigned bits = term_bits (&m->terms, m->variables.data[v].now);
    r.value.data[v] = again.value.data[v] = cut_to (rng_below (&values, 4), bits);
  }
  map met = {0};
  uint32_t to = exit_of (&r, s);
  assert_int_equal (to, go (&again, f, m->points.data[s->point].thread, s->point, &met));
  assert_same_met (&r, s, &met);
  for (uint32_t k = 0; k < s->updates.count && to != STAYS; k++) {
    substitution_begin (&r.substitution, run_leaf, &r);
    assert_true (run_value (&r, s->updates.data[k].value) == again.value.data[s->updates.data[k].variable]);
  }
  for (uint32_t v = 0; v < m->variables.count; v++) {
    bool updated = to == STAYS;
    for (uint32_t k = 0; k < s->updates.count; k++) updated |= s->updates.data[k].variable == v;
    if (!updated) assert_true (r.value.data[v] == again.value.data[v]);
  }
  map_release (&met);
  run_release (&r);
  run_release (&again);
}

static void steps_are_sequences_of_points (void **state) {
  (void) state;
  uint32_t folded_points = 0, stuck = 0;
  for (uint64_t seed = 1; seed <= MACHINES; seed++) {
    random_machine r;
    random_machine_init (&r, seed, 2, 8, seed % 2);
    for (uint32_t p = 0; p < r.m.points.count; p++) r.m.points.data[p].shared = r.m.points.data[p].opens = toss (&r, 4);
    folded f;
    fold (&r.m, &f);
    for (uint32_t p = 0; p < r.m.points.count; p++) folded_points += f.step_of.data[p] == IR_NONE;
    for (uint32_t k = 0; k < f.steps.count; k++) {
      for (uint32_t e = 0; e < f.steps.data[k].exits.count; e++)
        stuck += f.steps.data[k].exits.data[e].to == FOLD_STUCK;
      for (uint32_t n = 0; n < VALUES; n++) compare (&r.m, &f, &f.steps.data[k], seed * VALUES + n);
    }
    folded_release (&f);
    efsm_release (&r.m);
  }
  assert_true (folded_points > 1000);  // the machines have points to fold
  assert_true (stuck > 50);
}

TEST_MAIN (cmocka_unit_test (steps_are_sequences_of_points))
