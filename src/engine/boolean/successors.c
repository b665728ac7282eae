// Computes the successors of a symbolic state by one thread.
#include "engine/boolean/symbolic_search.h"

const reason boolean_solver_gave_up = {REASON_ENGINE, "a solver gave up", {0}};

static expansion stop_search (symbolic_search *s) {
  static const reason disagreed = {REASON_INTERNAL, "the two QBF solvers disagree", {0}};
  const reason *spent = reason_of_budget (s->arena, s->options.budget);
  s->stopped = s->subsumption.disagreed ? &disagreed : spent ? spent : &boolean_solver_gave_up;
  return STOPPED;
}

static const bp_location *thread_statement_at (const symbolic_search *s, const sym_state *x, uint32_t thread) {
  return &s->layout.program->locs.data[x->at[thread]];
}

bool is_free_to_move (const symbolic_search *s, const sym_state *x, uint32_t thread) {
  for (uint32_t t = 0; t < x->num_threads; t++)
    if (t != thread && thread_statement_at (s, x, t)->depth) return false;
  return true;
}

// ---- assertions -------------------------------------------------------------------------------------
static expansion check_failing_assertion (symbolic_search *s, uint32_t at, uint32_t thread) {
  const sym_state *x = s->history.states.data[at];
  if (map_find (&s->failed, x->at[thread])) return EXPANDED;
  state_builder_open (&s->draft, x, &s->layout);
  aig_lit wrong = aig_not (simulate_condition (&s->simulator, &s->draft, thread, 0));
  sat_answer a = feasible_extend (&s->feasible, x->guard, x->num_guard, x->num_guard, wrong);
  if (a == SAT_STOPPED) return stop_search (s);
  if (a == SAT_NO) return EXPANDED;
  map_insert (&s->failed, x->at[thread], 1, NULL);
  s->violations++;
  s->told_enough = !s->options.violation (s->options.state, s, at, thread);
  return s->told_enough ? STOPPED : EXPANDED;
}

// ---- steps ------------------------------------------------------------------------------------------
// A guard without new conjuncts is known to be satisfiable.
static sat_answer is_possible (symbolic_search *s, uint32_t known) {
  const state_builder *d = &s->draft;
  if (d->guard.count == known) return SAT_YES;
  return feasible_extend (&s->feasible, d->guard.data, known, d->guard.count, AIG_TRUE);
}

// Locations are numbered in the order of the text, so a thread that goes round a cycle takes such a step. A new thread
// may go anywhere.
static bool goes_back (const symbolic_search *s, bp_loc at, uint32_t way) {
  bp_loc through = simulate_through (&s->layout, at, way);
  const bp_location *d = bp_loc_at (s->layout.program, at);
  if (through.i != BP_NONE) return bp_loc_at (s->layout.program, through)->next.data[0].i <= at.i;
  if (d->kind == BP_START_THREAD) return true;
  return d->next.count && d->next.data[d->kind == BP_GOTO ? way : 0].i <= at.i;
}

static expansion keep_or_drop (symbolic_search *s, uint32_t at, uint32_t thread, uint32_t way) {
  const sym_state *from = s->history.states.data[at];
  sym_state *made = canon (&s->canoniser, &s->simulator, &s->draft, s->arena);
  bool back = goes_back (s, (bp_loc){from->at[thread]}, way);
  made->parent = at, made->thread = thread, made->way = way;
  made->round = from->round + back;
  uint32_t by;
  sat_answer known = history_find_or_add (&s->history, &s->subsumption, made, &by);
  if (known == SAT_STOPPED) return stop_search (s);
  return s->history.states.data[by]->round < made->round ? MAY_GO_ROUND : EXPANDED;
}

// Can any thread still reach an assertion?
static bool assertion_is_reachable (const symbolic_search *s) {
  for (uint32_t t = 0; t < s->draft.at.count; t++)
    if (s->layout.ahead[s->draft.at.data[t]]) return true;
  return false;
}

static expansion take_way (symbolic_search *s, uint32_t at, uint32_t thread, uint32_t way) {
  const sym_state *x = s->history.states.data[at];
  state_builder_open (&s->draft, x, &s->layout);
  simulated done = simulate_step (&s->simulator, &s->draft, thread, way);
  if (done == TOO_MANY_THREADS) {
    s->too_many_threads = true;
    return EXPANDED;
  }
  if (!assertion_is_reachable (s)) return EXPANDED;
  sat_answer possible = is_possible (s, x->num_guard);
  if (possible == SAT_STOPPED) return stop_search (s);
  if (possible == SAT_NO) s->refuted++;
  if (possible == SAT_NO) return EXPANDED;
  return keep_or_drop (s, at, thread, way);
}

// Can the step be taken whatever the values are: without a condition, or with one that a choice makes true?
static bool is_always_open (const state_layout *l, bp_loc at, uint32_t way) {
  bp_loc through = simulate_through (l, at, way);
  const bp_location *d = bp_loc_at (l->program, through.i == BP_NONE ? at : through);
  if (d->kind == BP_ASSERT) return false;
  bp_node n = bp_node_at (l->program, d->condition);
  if (n.op == BP_NOT) n = bp_node_at (l->program, (bp_expr){n.a});
  return bp_is_const (l->program, d->condition, true) || n.op == BP_CHOICE;
}

// A branch that is always open and does not lead back is enough: symbolic_search.c.
expansion expand_thread (symbolic_search *s, uint32_t at, uint32_t thread) {
  const sym_state *x = s->history.states.data[at];
  bp_loc here = {x->at[thread]};
  expansion all =
      thread_statement_at (s, x, thread)->kind == BP_ASSERT ? check_failing_assertion (s, at, thread) : EXPANDED;
  uint32_t ways = simulate_ways (&s->layout, here);
  bool open_to_new = false;
  for (uint32_t way = 0; way < ways && all != STOPPED; way++) {
    expansion e = take_way (s, at, thread, way);
    if (e != EXPANDED) all = e;
    open_to_new |= e == EXPANDED && is_always_open (&s->layout, here, way);
  }
  return all == MAY_GO_ROUND && open_to_new ? EXPANDED : all;
}
