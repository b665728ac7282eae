// The successors of a symbolic state by one thread.
#include "engine/boolean/search.h"

static expansion stop (search *s) {
  const char *spent = budget_spent (s->options.budget);
  s->stopped = s->subsumption.disagreed ? "the two QBF solvers disagree"
               : spent                  ? arena_strdup (s->arena, spent)
                                        : "a solver gave up";
  return STOPPED;
}

static const bp_location *location_of (const search *s, const sym_state *x, uint32_t thread) {
  return &s->layout.program->locs.data[x->at[thread]];
}

bool is_free_to_move (const search *s, const sym_state *x, uint32_t thread) {
  for (uint32_t t = 0; t < x->num_threads; t++)
    if (t != thread && location_of (s, x, t)->depth) return false;
  return true;
}

// ---- assertions ------------------------------------------------------------------------------------------------------------------
static expansion check_assertion (search *s, uint32_t at, uint32_t thread) {
  const sym_state *x = s->history.states.data[at];
  if (map_find (&s->failed, x->at[thread])) return EXPANDED;
  draft_open (&s->draft, x, &s->layout);
  aig_lit wrong = aig_not (simulate_condition (&s->simulator, &s->draft, thread, 0));
  sat_answer a = feasible_extend (&s->feasible, x->guard, x->num_guard, x->num_guard, wrong);
  if (a == SAT_STOPPED) return stop (s);
  if (a == SAT_NO) return EXPANDED;
  map_insert (&s->failed, x->at[thread], 1, NULL);
  s->violations++;
  s->told_enough = !s->options.violation (s->options.state, s, at, thread);
  return s->told_enough ? STOPPED : EXPANDED;
}

// ---- steps -----------------------------------------------------------------------------------------------------------------------
// A guard that has not grown is known to be satisfiable.
static sat_answer is_possible (search *s, uint32_t known) {
  const draft *d = &s->draft;
  if (d->guard.count == known) return SAT_YES;
  return feasible_extend (&s->feasible, d->guard.data, known, d->guard.count, AIG_TRUE);
}

static expansion keep_or_drop (search *s, uint32_t at, uint32_t thread, uint32_t way) {
  sym_state *made = canon (&s->canoniser, &s->simulator, &s->draft, s->arena);
  made->parent = at, made->thread = thread, made->way = way;
  uint32_t by;
  sat_answer known = history_meet (&s->history, &s->subsumption, made, &by);
  if (known == SAT_STOPPED) return stop (s);
  return by <= at ? MET_OLD_ONE : EXPANDED;
}

// Can any thread still come to an assertion?
static bool matters (const search *s) {
  for (uint32_t t = 0; t < s->draft.at.count; t++)
    if (s->layout.ahead[s->draft.at.data[t]]) return true;
  return false;
}

static expansion take_way (search *s, uint32_t at, uint32_t thread, uint32_t way) {
  const sym_state *x = s->history.states.data[at];
  draft_open (&s->draft, x, &s->layout);
  simulated done = simulate_step (&s->simulator, &s->draft, thread, way);
  if (done == TOO_MANY_THREADS) {
    s->too_many_threads = true;
    return EXPANDED;
  }
  if (!matters (s)) return EXPANDED;
  sat_answer possible = is_possible (s, x->num_guard);
  if (possible == SAT_STOPPED) return stop (s);
  if (possible == SAT_NO) s->refuted++;
  if (possible == SAT_NO) return EXPANDED;
  return keep_or_drop (s, at, thread, way);
}

expansion expand_thread (search *s, uint32_t at, uint32_t thread) {
  const sym_state *x = s->history.states.data[at];
  expansion all = location_of (s, x, thread)->kind == BP_ASSERT ? check_assertion (s, at, thread) : EXPANDED;
  uint32_t ways = simulate_ways (&s->layout, (bp_loc){x->at[thread]});
  for (uint32_t way = 0; way < ways && all != STOPPED; way++) {
    expansion e = take_way (s, at, thread, way);
    if (e != EXPANDED) all = e;
  }
  return all;
}
