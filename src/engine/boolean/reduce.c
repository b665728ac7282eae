// Who may go alone: first by what is known without asking, then, for those about whom it depends on who is enabled, by the solver.
#include "engine/boolean/reduce.h"

#include "engine/boolean/accesses.h"
#include "engine/boolean/alone.h"

struct reduction {
  search *search;
  accesses accesses;
  alone *solver;
  const sym_state *state;
  draft draft;
  aig_lits enabled;     // by thread: when it may be able to step; true if that is not known
  aig_lits total;       // by thread: when it certainly is
  VEC (bool) relevant;  // by thread
  aig_lits cases;
  reduction_counts counts;
};

reduction *reduction_new (search *s) {
  reduction *r = mem_zalloc (sizeof *r);
  r->search = s;
  r->solver = alone_new (&s->simulator.graph, s->options.budget, s->options.por == POR_CLAUSES);
  accesses_init (&r->accesses, s->layout.program);
  return r;
}

void reduction_free (reduction *r) {
  alone_free (r->solver);
  accesses_release (&r->accesses);
  draft_release (&r->draft);
  vec_release (&r->enabled);
  vec_release (&r->total);
  vec_release (&r->relevant);
  vec_release (&r->cases);
  mem_free (r, sizeof *r);
}

static const bp_location *location_of (const reduction *r, uint32_t thread) {
  return &r->search->layout.program->locs.data[r->state->at[thread]];
}

// ---- who can step ------------------------------------------------------------------------------------------------------------------
// A condition with choices can be made true by some of them, perhaps: nothing is said about it.
static bool condition_of (reduction *r, uint32_t thread, uint32_t way, aig_lit *condition) {
  simulator *s = &r->search->simulator;
  *condition = simulate_condition (s, &r->draft, thread, way);
  return !s->used.count;
}

static void find_enabled (reduction *r, uint32_t thread) {
  const bp_location *at = location_of (r, thread);
  bp_loc here = {r->state->at[thread]};
  aig_lit some = AIG_FALSE, one;
  bool known = at->kind != BP_ASSIGN || bp_is_const (r->search->layout.program, at->condition, true);
  for (uint32_t way = 0; way < simulate_ways (&r->search->layout, here) && known; way++) {
    bool is_open = at->kind != BP_ASSERT && simulate_assume (&r->search->layout, here, way).i == BP_NONE;
    if (is_open) one = AIG_TRUE;
    else known = condition_of (r, thread, way, &one);
    if (known) some = aig_or (&r->search->simulator.graph, some, one);
  }
  vec_push (&r->total, known ? some : AIG_FALSE);
  vec_push (&r->enabled, known && at->kind != BP_ASSERT ? some : AIG_TRUE);
}

// ---- who matters -------------------------------------------------------------------------------------------------------------------
static bool conflicts (const reduction *r, uint32_t thread, uint32_t other) {
  const accesses *a = &r->accesses;
  uint32_t x = r->state->at[thread], y = r->state->at[other];
  return accesses_meet (a, STEP_WRITES, x, LATER_READS, y) || accesses_meet (a, STEP_WRITES, x, LATER_WRITES, y) ||
         accesses_meet (a, STEP_READS, x, LATER_WRITES, y);
}

static bool may_enable_relevant (const reduction *r, uint32_t thread, uint32_t candidate) {
  for (uint32_t u = 0; u < r->state->num_threads; u++)
    if (u != candidate && u != thread && r->relevant.data[u] &&
        accesses_meet (&r->accesses, LATER_WRITES, r->state->at[thread], STEP_WAITS, r->state->at[u]))
      return true;
  return false;
}

// Those that may disturb the candidate before it has moved, if they can move at all; and those who may set them free.
static void find_relevant (reduction *r, uint32_t candidate) {
  uint32_t n = r->state->num_threads;
  vec_clear (&r->relevant);
  for (uint32_t u = 0; u < n; u++) vec_push (&r->relevant, u != candidate && conflicts (r, candidate, u));
  for (bool grown = true; grown;) {
    grown = false;
    for (uint32_t u = 0; u < n; u++) {
      if (u == candidate || r->relevant.data[u] || !may_enable_relevant (r, u, candidate)) continue;
      r->relevant.data[u] = grown = true;
    }
  }
}

// ---- the question ------------------------------------------------------------------------------------------------------------------
// What must not be possible.  False: something is, whatever the guard says.
static bool collect_cases (reduction *r, uint32_t candidate) {
  vec_clear (&r->cases);
  if (r->total.data[candidate].i != AIG_TRUE.i) vec_push (&r->cases, aig_not (r->total.data[candidate]));
  for (uint32_t u = 0; u < r->state->num_threads; u++)
    if (r->relevant.data[u] && r->enabled.data[u].i != AIG_FALSE.i) vec_push (&r->cases, r->enabled.data[u]);
  for (uint32_t i = 0; i < r->cases.count; i++)
    if (r->cases.data[i].i == AIG_TRUE.i) return false;
  return true;
}

static bool can_be_alone (const reduction *r, uint32_t thread) {
  bp_kind kind = location_of (r, thread)->kind;
  return kind != BP_ATOMIC_BEGIN && kind != BP_START_THREAD && r->total.data[thread].i != AIG_FALSE.i;
}

static bool is_alone (reduction *r, uint32_t candidate, bool ask) {
  if (!can_be_alone (r, candidate)) return false;
  find_relevant (r, candidate);
  if (!collect_cases (r, candidate)) return false;
  if (!r->cases.count || !ask) return !r->cases.count;
  r->counts.questions++;
  bool alone = alone_ask (r->solver, r->state->guard, r->state->num_guard, r->cases.data, r->cases.count) == SAT_NO;
  r->counts.by_solver += alone;
  return alone;
}

static void open_state (reduction *r, const sym_state *x) {
  r->state = x;
  draft_open (&r->draft, x, &r->search->layout);
  vec_clear (&r->enabled);
  vec_clear (&r->total);
  for (uint32_t t = 0; t < x->num_threads; t++) find_enabled (r, t);
}

uint32_t reduction_choose (reduction *r, const sym_state *x) {
  r->state = x;
  if (x->num_threads < 2) return BP_NONE;
  for (uint32_t t = 0; t < x->num_threads; t++)
    if (location_of (r, t)->depth) return BP_NONE;  // only the one inside moves, anyway
  open_state (r, x);
  for (unsigned ask = 0; ask < 2; ask++)
    for (uint32_t t = 0; t < x->num_threads; t++)
      if (is_alone (r, t, ask)) {
        r->counts.chosen++;
        return t;
      }
  return BP_NONE;
}

reduction_counts reduction_statistics (const reduction *r) {
  reduction_counts c = r->counts;
  c.decisions = alone_statistics (r->solver)->decisions;
  c.conflicts = alone_statistics (r->solver)->conflicts;
  return c;
}
