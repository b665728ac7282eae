// Explores states in the order in which they are found. Unlike in figure 1 of the paper a state is looked up in the
// history when it is made, not when its turn comes: so the reduction knows at once whether a step leads to a new state.
#include "engine/boolean/symbolic_search.h"

#include "engine/boolean/boolean_reduce.h"

void search_init (symbolic_search *s, const bp_program *p, const search_options *o) {
  *s = (symbolic_search){.options = *o, .arena = arena_new ()};
  state_layout_init (&s->layout, p);
  simulator_init (&s->simulator, &s->layout, o->max_threads);
  feasible_init (&s->feasible, &s->simulator.graph, o->budget);
  s->canoniser.plain = o->plain;
  s->subsumption = (subsumption){
      .layout = &s->layout, .graph = &s->simulator.graph, .budget = o->budget, .solver = o->qbf, .form = o->form};
  if (o->por != POR_OFF) s->reduction = reduction_new (s);
}

void search_release (symbolic_search *s) {
  if (s->reduction) reduction_free (s->reduction);
  feasible_release (&s->feasible);
  canoniser_release (&s->canoniser);
  subsumption_release (&s->subsumption);
  history_release (&s->history);
  vec_release (&s->expanded);
  state_builder_release (&s->draft);
  map_release (&s->failed);
  simulator_release (&s->simulator);
  state_layout_release (&s->layout);
  arena_free (s->arena);
}

// The postponed threads are resumed at once if the chosen thread only reaches states from which it might go round a
// cycle: otherwise the others might be ignored for ever (section 3.4).
//
// A thread in a loop takes a step back to an earlier location; each state counts such steps on its path (`round`). A
// step that goes back must lead to a later round, any other step at least to the same round. Then there is no cycle of
// such steps: rounds do not decrease, and within one round each step goes forward. That a step leads to a known state
// does not matter by itself; that is always so where two paths meet.
//
// One of several branches of a thread is enough if it is always open (Bosnacki and Holzmann 2005, "Improving Spin's
// partial-order reduction for breadth-first search", have such a rule for single states): take the shortest execution
// from here to a failing assertion. If this thread moves in it, its step can come first, and the rest is shorter; if it
// does not, the open branch is put in front, and that cannot be repeated for ever.
//
// Before all threads are resumed, another thread that may step alone is tried.
static expansion expand_independent_thread (symbolic_search *s, uint32_t at) {
  const sym_state *x = s->history.states.data[at];
  vec_clear (&s->expanded);
  for (uint32_t t = 0; t < x->num_threads; t++) vec_push (&s->expanded, false);
  if (!s->reduction) return MAY_GO_ROUND;
  reduction_open (s->reduction, x);
  expansion e = MAY_GO_ROUND;
  bool any = false;
  for (uint32_t t; e == MAY_GO_ROUND && (t = reduction_next (s->reduction)) != BP_NONE;) {
    e = expand_thread (s, at, t);
    any = s->expanded.data[t] = true;
  }
  s->resumed += any && e == MAY_GO_ROUND;
  return e;
}

static void expand_state (symbolic_search *s, uint32_t at) {
  expansion e = expand_independent_thread (s, at);
  if (e != MAY_GO_ROUND) return;
  const sym_state *x = s->history.states.data[at];
  for (uint32_t t = 0; t < x->num_threads && e != STOPPED; t++)
    if (!s->expanded.data[t] && is_free_to_move (s, x, t)) e = expand_thread (s, at, t);
}

void search_run (symbolic_search *s) {
  uint32_t first;
  simulate_start (&s->simulator, &s->draft);
  history_find_or_add (&s->history, &s->subsumption, canon (&s->canoniser, &s->simulator, &s->draft, s->arena), &first);
  while (s->next < s->history.states.count && !s->stopped && !s->told_enough) {
    s->stopped = reason_of_budget (s->arena, s->options.budget);
    if (!s->stopped) expand_state (s, s->next++);
  }
}
