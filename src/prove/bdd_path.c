// A path to the bad state, backwards through the rings: a state of the last ring in which it holds, then each time a state of the ring before, and inputs, that
// lead to the one that was chosen.
#include "prove/bdd_impl.h"

static uint32_t last_ring (const dd_search *s) { return s->rings.count - 1; }

// ---- choosing --------------------------------------------------------------------------------------------------------------

// Some assignment of a function that has one; variables it does not look at are 0.
static void choose (dd_search *s, BDD f) {
  for (uint32_t v = 0; v < s->assignment.count; v++) s->assignment.data[v] = 0;
  while (f != bddtrue) {
    bool high = bdd_low (f) == bddfalse;
    s->assignment.data[bdd_var (f)] = high;
    f = high ? bdd_high (f) : bdd_low (f);
  }
}

static void keep_inputs (dd_search *s, uint32_t step) {
  net_path *p = &s->r->path;
  for (uint32_t k = 0; k < s->n->inputs.count; k++) {
    int v = s->order.input.data[k];
    if (v >= 0) p->inputs.data[(size_t) step * s->n->inputs.count + k] = (uint8_t) s->assignment.data[v];
  }
}

static void keep_start (dd_search *s) {
  for (uint32_t k = 0; k < s->n->latches.count; k++) {
    int v = s->order.latch.data[k];
    s->r->path.start.data[k] = v >= 0 ? (uint8_t) s->assignment.data[v] : s->n->latches.data[k].reset == NET_ONE;
  }
}

// ---- going back ------------------------------------------------------------------------------------------------------------

// The chosen state, as next values.
static BDD chosen_next (const dd_search *s) {
  BDD cube = bddtrue;
  for (uint32_t k = 0; k < s->n->latches.count; k++) {
    int v = s->order.latch.data[k];
    if (v >= 0) dd_set (&cube, bdd_and (cube, s->assignment.data[v] ? bdd_ithvar (v + 1) : bdd_nithvar (v + 1)));
  }
  return cube;
}

// Chooses a state of the ring, and inputs, that lead to the state chosen before.
static void step_back (dd_search *s, uint32_t ring) {
  BDD next = chosen_next (s), choices = bddfalse, part = bddfalse;
  dd_set (&choices, s->rings.data[ring]);
  for (uint32_t k = 0; k < s->parts.count; k++) {
    dd_set (&part, bdd_restrict (s->parts.data[k].relation, next));
    dd_set (&choices, bdd_and (choices, part));
    dd_stop_if_spent ();
  }
  choose (s, choices);
  bdd_delref (next);
  bdd_delref (choices);
  bdd_delref (part);
}

void dd_find_path (dd_search *s) {
  net_path *p = &s->r->path;
  *p = (net_path){.length = s->rings.count, .loop = NET_NO_LOOP};
  for (int v = 0; v < s->order.count; v++) vec_push (&s->assignment, 0);
  for (uint32_t k = 0; k < s->n->latches.count; k++) vec_push (&p->start, 0);
  for (uint64_t k = 0; k < (uint64_t) p->length * s->n->inputs.count; k++) vec_push (&p->inputs, 0);
  BDD ends = bdd_addref (bdd_and (vec_last (&s->rings), s->bad_now));
  choose (s, ends);
  keep_inputs (s, last_ring (s));
  bdd_delref (ends);
  for (uint32_t ring = last_ring (s); ring-- > 0;) {
    step_back (s, ring);
    keep_inputs (s, ring);
  }
  keep_start (s);
}
