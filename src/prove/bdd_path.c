// Builds a path to the goal, backwards through the frontiers: a state of the last frontier in which the goal is true,
// then repeatedly a state of the frontier before, and inputs, that lead to the state chosen before.
#include "prove/bdd_impl.h"

// ---- choices ----------------------------------------------------------------------------------------

// Variables on which the function does not depend become 0.
void dd_choose (dd_search *s, BDD f) {
  vec_clear (&s->assignment);
  for (int v = 0; v < s->order.count; v++) vec_push (&s->assignment, 0);
  while (f != bddtrue) {
    bool high = bdd_low (f) == bddfalse;
    s->assignment.data[bdd_var (f)] = high;
    f = high ? bdd_high (f) : bdd_low (f);
  }
}

void dd_keep_inputs (dd_search *s, uint32_t step) {
  net_path *p = &s->r->path;
  while (p->inputs.count < (uint64_t) (step + 1) * s->n->inputs.count) vec_push (&p->inputs, 0);
  for (uint32_t k = 0; k < s->n->inputs.count; k++) {
    int v = s->order.input.data[k];
    if (v >= 0) p->inputs.data[(size_t) step * s->n->inputs.count + k] = (uint8_t) s->assignment.data[v];
  }
}

void dd_keep_start (dd_search *s) {
  vec_clear (&s->r->path.start);
  for (uint32_t k = 0; k < s->n->latches.count; k++) {
    int v = s->order.latch.data[k];
    vec_push (&s->r->path.start, v >= 0 ? (uint8_t) s->assignment.data[v] : s->n->latches.data[k].reset == NET_ONE);
  }
}

// ---- backward steps ---------------------------------------------------------------------------------

BDD dd_chosen_state (const dd_search *s, bool as_next) {
  BDD cube = bddtrue;
  for (uint32_t k = 0; k < s->n->latches.count; k++) {
    int v = s->order.latch.data[k];
    if (v < 0) continue;
    bool value = s->assignment.data[v];
    if (as_next) v++;
    dd_set (&cube, bdd_and (cube, value ? bdd_ithvar (v) : bdd_nithvar (v)));
  }
  return cube;
}

BDD dd_steps_with (const dd_search *s, BDD steps, BDD chosen) {
  BDD choices = bddfalse, part = bddfalse;
  dd_set (&choices, steps);
  for (uint32_t k = 0; k < s->relations.count; k++) {
    dd_set (&part, bdd_restrict (s->relations.data[k], chosen));
    dd_set (&choices, bdd_and (choices, part));
    dd_stop_if_spent ();
  }
  bdd_delref (part);
  return choices;
}

// Chooses a state of the frontier, and inputs, that lead to the state chosen before.
static void choose_previous_step (dd_search *s, uint32_t frontier) {
  BDD next = dd_chosen_state (s, true), choices = dd_steps_with (s, s->frontiers.data[frontier], next);
  dd_choose (s, choices);
  bdd_delref (next);
  bdd_delref (choices);
}

void dd_find_path (dd_search *s) {
  uint32_t last = s->frontiers.count - 1;
  s->r->path = (net_path){.length = s->frontiers.count, .loop = NET_NO_LOOP};
  BDD ends = bdd_addref (bdd_and (vec_last (&s->frontiers), s->goals_now.data[0]));
  dd_choose (s, ends);
  bdd_delref (ends);
  dd_keep_inputs (s, last);
  for (uint32_t frontier = last; frontier-- > 0;) {
    choose_previous_step (s, frontier);
    dd_keep_inputs (s, frontier);
  }
  dd_keep_start (s);
}
