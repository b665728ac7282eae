// States in the order in which they are found, until all have been looked at.  Unlike figure 1 of the paper a state is looked up in the history when it is made, not
// when its turn comes: so the reduction knows at once whether a step leads to something new.
#include "engine/boolean/search.h"

#include "engine/boolean/reduce.h"

void search_init (search *s, const bp_program *p, const search_options *o) {
  *s = (search){.options = *o, .arena = arena_new ()};
  layout_init (&s->layout, p);
  simulator_init (&s->simulator, &s->layout, o->max_threads);
  feasible_init (&s->feasible, &s->simulator.graph, o->budget);
  s->canoniser.plain = o->plain;
  s->subsumption = (subsumption){
      .layout = &s->layout, .graph = &s->simulator.graph, .budget = o->budget, .solver = o->qbf, .form = o->form};
  if (o->por != POR_OFF) s->reduction = reduction_new (s);
}

void search_release (search *s) {
  if (s->reduction) reduction_free (s->reduction);
  feasible_release (&s->feasible);
  canoniser_release (&s->canoniser);
  subsumption_release (&s->subsumption);
  history_release (&s->history);
  vec_release (&s->expanded);
  draft_release (&s->draft);
  map_release (&s->failed);
  simulator_release (&s->simulator);
  layout_release (&s->layout);
  arena_free (s->arena);
}

// The postponed threads are resumed at once if the one that goes first only meets states from which it might come round again: otherwise they might wait in a circle (section 3.4).
//
// A thread that goes round takes a step back to an earlier location; states count such steps on the way to them (`round`).  A step that goes back must lead to a later round, any
// other one at least to the same round.  Then there is no circle of such steps: rounds do not become fewer, and within one each step is forward.  That a step leads to a
// state that was looked at before does not matter by itself; where two ways meet again that is always so.
//
// Of several ways of a thread one is enough if it is always open (Bosnacki and Holzmann 2005, "Improving Spin's partial-order reduction for breadth-first search", have
// such a rule for single states): take the shortest execution from here to a failing assertion.  If this thread moves in it, its step can come first, and the rest is shorter; if it
// does not, the open way is put in front, and that cannot be repeated for ever.
//
// Before all are resumed, another thread that may go alone is tried.
static expansion expand_one_alone (search *s, uint32_t at) {
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

static void expand (search *s, uint32_t at) {
  expansion e = expand_one_alone (s, at);
  if (e != MAY_GO_ROUND) return;
  const sym_state *x = s->history.states.data[at];
  for (uint32_t t = 0; t < x->num_threads && e != STOPPED; t++)
    if (!s->expanded.data[t] && is_free_to_move (s, x, t)) e = expand_thread (s, at, t);
}

void search_run (search *s) {
  uint32_t first;
  simulate_start (&s->simulator, &s->draft);
  history_meet (&s->history, &s->subsumption, canon (&s->canoniser, &s->simulator, &s->draft, s->arena), &first);
  while (s->next < s->history.states.count && !s->stopped && !s->told_enough) {
    s->stopped = reason_of_budget (s->arena, s->options.budget);
    if (!s->stopped) expand (s, s->next++);
  }
}
