// Tests symbolic states as sets of states: the canonical form keeps the set, and subsumption is inclusion, in each form
// of the query.
#include "boolean/text_test.h"
#include "encode/table_test.h"
#include "engine/boolean/history.h"

enum { VARS = 3, CHOICES = 4 };
static const budget no_limit = {0};

typedef struct world {
  bp_program *program;
  state_layout layout;
  simulator simulator;
  canoniser canoniser;
  subsumption subsumption;
  arena *arena;
} world;

static void world_init (world *w) {
  *w = (world){.program = program_of ("decl a, b, c; void main() begin assert(a | b | c); end"), .arena = arena_new ()};
  state_layout_init (&w->layout, w->program);
  simulator_init (&w->simulator, &w->layout, 4);
  w->subsumption = (subsumption){.layout = &w->layout, .graph = &w->simulator.graph, .budget = &no_limit};
}

static void world_release (world *w) {
  subsumption_release (&w->subsumption);
  canoniser_release (&w->canoniser);
  simulator_release (&w->simulator);
  state_layout_release (&w->layout);
  arena_free (w->arena);
  bp_program_free (w->program);
}

// Bit v: the values v of the variables are possible.
static unsigned set_of (const world *w, const aig_lit *values, const aig_lit *guard, uint32_t count) {
  const aig *g = &w->simulator.graph;
  uint64_t good = UINT64_MAX;
  unsigned set = 0;
  for (uint32_t i = 0; i < count; i++) good &= table_of (g, guard[i]);
  for (unsigned at = 0; at < 64; at++) {
    unsigned v = 0;
    for (unsigned i = 0; i < VARS; i++) v |= (unsigned) (table_of (g, values[i]) >> at & 1) << i;
    if (good >> at & 1) set |= 1u << v;
  }
  return set;
}

// NULL: its guard cannot be satisfied.
static sym_state *random_state (world *w, rng *r, unsigned *set) {
  state_builder d = {0};
  simulate_start (&w->simulator, &d);
  aig_lit choice[CHOICES];
  simulator *s = &w->simulator;
  while (s->inputs.count < TABLE_INPUTS) vec_push (&s->inputs, aig_input (&s->graph));
  for (unsigned i = 0; i < CHOICES; i++) choice[i] = s->inputs.data[i];
  d.num_inputs = CHOICES;
  for (unsigned v = 0; v < VARS; v++)
    d.values.data[v] = rng_below (r, 6) ? random_function (r, &s->graph, choice, CHOICES, rng_below (r, 3)) : AIG_TRUE;
  for (uint32_t n = rng_below (r, 3); n-- > 0;)
    guard_add (&s->graph, &d.guard, random_function (r, &s->graph, choice, CHOICES, 3));
  *set = set_of (w, d.values.data, d.guard.data, d.guard.count);
  sym_state *made = *set ? canon (&w->canoniser, s, &d, w->arena) : NULL;
  state_builder_release (&d);
  return made;
}

static void canonical_form_keeps_the_set (void **state) {
  (void) state;
  world w;
  rng r = {3};
  world_init (&w);
  for (int round = 0; round < 2000; round++) {
    w.canoniser.plain = round & 1;
    unsigned set;
    const sym_state *s = random_state (&w, &r, &set);
    if (!s) continue;
    assert_int_equal (set_of (&w, s->values, s->guard, s->num_guard), set);
    for (uint32_t i = 0; i < s->num_guard; i++) assert_true (s->guard[i].i > 1 && s->guard_group[i] < s->num_groups);
  }
  world_release (&w);
}

static void subsumption_is_inclusion (void **state) {
  (void) state;
  world w;
  rng r = {5};
  unsigned count[2] = {0};
  world_init (&w);
  for (int round = 0; round < 2000; round++) {
    unsigned a, b;
    w.canoniser.plain = round & 1;
    const sym_state *old = random_state (&w, &r, &a), *fresh = random_state (&w, &r, &b);
    if (!old || !fresh) continue;
    for (qbf_form form = QBF_AUTO; form <= QBF_STATE; form++)
      for (qbf_solver solver = QBF_OWN; solver <= QBF_BOTH; solver++) {
        w.subsumption.form = form, w.subsumption.solver = solver;
        assert_int_equal (subsumes (&w.subsumption, old, fresh), b & ~a ? SAT_NO : SAT_YES);
      }
    count[!(b & ~a)]++;
  }
  assert_true (count[0] > 100 && count[1] > 100);
  assert_true (w.subsumption.asked[QBF_INPUTS] > 200 && w.subsumption.asked[QBF_STATE] > 200);
  assert_false (w.subsumption.disagreed);
  world_release (&w);
}

// A state that is not kept because another one subsumes it is recognised afterwards, too.
static void subsumed_states_are_recognised (void **state) {
  (void) state;
  world w;
  rng r = {9};
  history h = {0};
  unsigned seen = 0;
  VEC (unsigned) kept = {0};
  world_init (&w);
  for (int round = 0; round < 200; round++) {
    unsigned set;
    uint32_t by;
    const sym_state *s = random_state (&w, &r, &set);
    if (!s) continue;
    sat_answer a = history_find_or_add (&h, &w.subsumption, s, &by);
    if (a == SAT_NO) vec_push (&kept, set);
    assert_int_equal (kept.count, h.states.count);
    assert_false (set & ~kept.data[by]);
    seen |= set;
    a = history_find_or_add (&h, &w.subsumption, s, &by);
    assert_int_equal (a, SAT_YES);
  }
  assert_true (h.subsumed && h.met_again);
  vec_release (&kept);
  history_release (&h);
  world_release (&w);
}

TEST_MAIN (cmocka_unit_test (canonical_form_keeps_the_set), cmocka_unit_test (subsumption_is_inclusion),
           cmocka_unit_test (subsumed_states_are_recognised))
