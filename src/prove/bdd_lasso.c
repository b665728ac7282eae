// Builds a lasso in the hull: Clarke, Grumberg, McMillan and Zhao, "Efficient generation of counterexamples and
// witnesses in symbolic model checking" (1995), but a strongly connected component on whose steps all conditions are
// true is computed first, so that no attempt to close the loop fails. The stem leads to the first frontier that meets
// the component; then the loop goes to the nearest step on which a condition is true that was not true so far, again
// and again, and at last takes the shortest path to its beginning.
#include "base/diag.h"
#include "prove/bdd_impl.h"

// ---- a component ------------------------------------------------------------------------------------

static bool has_all_goals (const dd_fair *f) {
  bool all = true;
  for (uint32_t k = 0; all && k < f->s.goals.count; k++) {
    BDD before = dd_ends (f, DD_BACKWARD, f->goal_steps.data[k], f->component);
    all = bdd_and (before, f->component) != bddfalse;
    bdd_delref (before);
  }
  return all;
}

// Chooses one of the states that are reached first; returns its frontier.
static uint32_t choose_first (dd_search *s, BDD states) {
  for (uint32_t frontier = 0; frontier < s->frontiers.count; frontier++) {
    BDD both = bdd_addref (bdd_and (s->frontiers.data[frontier], states));
    bool any = both != bddfalse;
    if (any) dd_choose (s, both);
    bdd_delref (both);
    if (any) return frontier;
  }
  BUG ("states of the hull should have been reached");
}

// Finds the component. From every state of the hull a step on which a condition is true can be reached: so in a
// component that cannot be left all conditions are true. If the component of some state can be left, the search goes on
// with the states after it.
static void find_component (dd_fair *f) {
  dd_search *s = &f->s;
  BDD inside = bdd_addref (f->hull), ahead = bddfalse, state = bddfalse;
  do {
    CHECK (inside != bddfalse, "the hull should have a component with all conditions");
    choose_first (s, inside);
    bdd_delref (state), state = dd_chosen_state (s, false);
    bdd_delref (ahead), ahead = dd_closure (f, DD_FORWARD, state, inside);
    bdd_delref (f->component), f->component = dd_closure (f, DD_BACKWARD, state, ahead);
    dd_set (&inside, bdd_apply (ahead, f->component, bddop_diff));
  } while (!has_all_goals (f));
  bdd_delref (inside);
  bdd_delref (ahead);
  bdd_delref (state);
}

// ---- steps: first the state, then the inputs --------------------------------------------------------

// Chooses the inputs of a step between two states, on which the condition is true. The assignment is that of the whole
// step.
static void choose_inputs (dd_search *s, BDD now, BDD next, BDD condition) {
  BDD both = bdd_addref (bdd_and (now, next)), choices = dd_steps_with (s, condition, both);
  dd_set (&choices, bdd_and (choices, both));
  dd_choose (s, choices);
  bdd_delref (both);
  bdd_delref (choices);
}

// Replaces the chosen state by one of these states before it.
static void step_before (dd_fair *f, BDD states) {
  dd_search *s = &f->s;
  BDD next = dd_chosen_state (s, true), choices = bddfalse;
  dd_set (&choices, bdd_restrict (f->steps, next));
  dd_set (&choices, bdd_and (choices, states));
  dd_choose (s, choices);
  BDD now = dd_chosen_state (s, false);
  choose_inputs (s, now, next, bddtrue);
  bdd_delref (next);
  bdd_delref (choices);
  bdd_delref (now);
}

// Builds the path from a reset state to the chosen state of this frontier.
static void find_stem (dd_fair *f, uint32_t frontier) {
  while (frontier-- > 0) {
    step_before (f, f->s.frontiers.data[frontier]);
    dd_keep_inputs (&f->s, frontier);
  }
  dd_keep_start (&f->s);
}

// ---- the loop ---------------------------------------------------------------------------------------

static bool is_true_in_state (const dd_search *s, BDD f) {
  while (f != bddtrue && f != bddfalse) f = s->assignment.data[bdd_var (f)] ? bdd_high (f) : bdd_low (f);
  return f == bddtrue;
}

static void remove_seen_goals (dd_fair *f) {
  for (uint32_t k = f->unseen.count; k-- > 0;) {
    if (!is_true_in_state (&f->s, f->s.goals_now.data[f->unseen.data[k]])) continue;
    f->unseen.data[k] = vec_last (&f->unseen);
    f->unseen.count--;
  }
}

static void take_next_values (dd_search *s) {
  for (uint32_t k = 0; k < s->n->latches.count; k++) {
    int v = s->order.latch.data[k];
    s->assignment.data[v] = s->assignment.data[v + 1];
  }
}

// Takes one of these steps from the current state into one of these states, with inputs for which the condition is
// true.
static void take_loop_step (dd_fair *f, BDD steps, BDD states, BDD condition) {
  dd_search *s = &f->s;
  BDD choices = dd_into (f, states), from_here = bdd_addref (bdd_restrict (steps, f->now));
  dd_set (&choices, bdd_and (choices, from_here));
  dd_choose (s, choices);
  take_next_values (s);
  BDD next = dd_chosen_state (s, true);
  choose_inputs (s, f->now, next, condition);
  dd_keep_inputs (s, s->r->path.length++);
  remove_seen_goals (f);
  take_next_values (s);
  bdd_delref (f->now), f->now = dd_chosen_state (s, false);
  bdd_delref (choices);
  bdd_delref (from_here);
  bdd_delref (next);
}

static bool we_are_in (const dd_fair *f, BDD states) { return bdd_and (f->now, states) != bddfalse; }

// Computes how far the states of the component are from these, up to the distance of the current state, into
// `distance`.
static void measure_distances (dd_fair *f, BDD states) {
  BDD all = bddfalse, frontier = bddfalse, before = bddfalse;
  while (f->distance.count) bdd_delref (vec_pop (&f->distance));
  dd_set (&before, states);
  for (;;) {
    dd_set (&frontier, bdd_and (before, f->component));
    dd_set (&frontier, bdd_apply (frontier, all, bddop_diff));
    CHECK (frontier != bddfalse, "a component should have a path from each state to each other");
    dd_push (&f->distance, frontier);
    if (we_are_in (f, frontier)) break;
    dd_set (&all, bdd_or (all, frontier));
    bdd_delref (before), before = dd_ends (f, DD_BACKWARD, f->steps, frontier);
  }
  bdd_delref (all);
  bdd_delref (frontier);
  bdd_delref (before);
}

static void extend_loop_to (dd_fair *f, BDD states) {
  measure_distances (f, states);
  for (uint32_t left = f->distance.count - 1; left-- > 0;)
    take_loop_step (f, f->steps, f->distance.data[left], bddtrue);
}

static void see_all_goals (dd_fair *f) {
  const dd_search *s = &f->s;
  BDD condition = bddfalse, steps = bddfalse;
  for (uint32_t k = 0; k < s->goals.count; k++) vec_push (&f->unseen, k);
  while (f->unseen.count) {
    dd_set (&condition, bddfalse), dd_set (&steps, bddfalse);
    for (uint32_t k = 0; k < f->unseen.count; k++) {
      dd_set (&condition, bdd_or (condition, s->goals_now.data[f->unseen.data[k]]));
      dd_set (&steps, bdd_or (steps, f->goal_steps.data[f->unseen.data[k]]));
    }
    BDD starts = dd_ends (f, DD_BACKWARD, steps, f->component);
    extend_loop_to (f, starts);
    if (f->unseen.count) take_loop_step (f, steps, f->component, condition);
    bdd_delref (starts);
  }
  bdd_delref (condition);
  bdd_delref (steps);
}

void dd_find_lasso (dd_fair *f) {
  dd_search *s = &f->s;
  net_path *p = &s->r->path;
  find_component (f);
  p->length = p->loop = choose_first (s, f->component);
  BDD home = dd_chosen_state (s, false);
  dd_set (&f->now, home);
  find_stem (f, p->loop);
  see_all_goals (f);
  extend_loop_to (f, home);
  s->r->depth = p->length;
  bdd_delref (home);
}
