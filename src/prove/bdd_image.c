// Computes the states one step after a set of states. The relation of a step is kept as a list of parts whose
// conjunction it is: Burch, Clarke, Long, "Symbolic model checking with partitioned transition relations" (1991). Small
// relations of single latches are conjoined to parts of some hundred nodes, and the parts are ordered so that variables
// can be quantified early, before the next part is conjoined: after Ranjan, Aziz, Brayton, Plessier, Pixley, "Efficient
// BDD algorithms for FSM synthesis and verification" (1995), with a simpler measure: the number of variables that can
// be quantified minus the number of new variables.
#include <stdlib.h>

#include "prove/bdd_impl.h"

enum { PART_NODES = 500 };

// ---- parts ------------------------------------------------------------------------------------------

static bool is_latch (const dd_search *s, uint32_t leaf) { return s->order.leaves.data[leaf] & 1; }

static int variable_of (const dd_search *s, uint32_t leaf) {
  uint32_t what = s->order.leaves.data[leaf];
  return what & 1 ? s->order.latch.data[what / 2] : s->order.input.data[what / 2];
}

// Conjoins the relation to the last part if the result stays small, else begins a new part.
static void add_relation (dd_search *s, BDD relation) {
  BDD *last = &vec_last (&s->relations);
  bdd_addref (relation);
  BDD both = bddfalse;
  bool small = bdd_nodecount (relation) <= PART_NODES;
  if (small) dd_set (&both, bdd_and (*last, relation));
  if (small && bdd_nodecount (both) <= PART_NODES) dd_set (last, both);
  else dd_push (&s->relations, relation);
  bdd_delref (both);
  bdd_delref (relation);
}

static void add_relations (dd_search *s) {
  dd_push (&s->relations, bddtrue);
  for (uint32_t k = 0; k < s->constraints.count; k++) add_relation (s, s->constraints.data[k]);
  for (uint32_t k = 0; k < s->order.leaves.count; k++) {
    if (!is_latch (s, k)) continue;
    add_relation (s, bdd_biimp (bdd_ithvar (variable_of (s, k) + 1), s->nexts.data[k]));
    dd_set (&s->nexts.data[k], bddfalse);
    dd_stop_if_spent ();
  }
}

// ---- the order of parts -----------------------------------------------------------------------------

// Does not use bdd_support, which keeps a table from before the last bdd_done.
static void relation_support (dd_search *s, BDD relation, dd_variables *support) {
  int *nodes = bdd_varprofile (relation);  // by variable
  for (int v = 0; v < s->order.count; v++) {
    if (!nodes[v]) continue;
    vec_push (support, v);
    s->schedule.holders.data[v]++;
  }
  free (nodes);
}

static void schedule_init (dd_search *s, const dd_steps *steps, bool present_stays) {
  dd_schedule *c = &s->schedule;
  for (int v = 0; v < s->order.count; v++) {
    vec_push (&c->holders, 0);
    vec_push (&c->stays, false);
  }
  for (uint32_t k = 0; k < s->order.leaves.count; k++) {
    if (!is_latch (s, k)) continue;
    c->stays.data[variable_of (s, k)] = present_stays;
    c->stays.data[variable_of (s, k) + 1] = true;
  }
  for (uint32_t k = 0; k < steps->parts.count; k++) {
    vec_push (&c->support, (dd_variables){0});
    relation_support (s, steps->parts.data[k].relation, &vec_last (&c->support));
  }
}

void dd_schedule_release (dd_schedule *c) {
  for (uint32_t k = 0; k < c->support.count; k++) vec_release (&c->support.data[k]);
  vec_release (&c->support);
  vec_release (&c->holders);
  vec_release (&c->stays);
  *c = (dd_schedule){0};
}

static int part_score (const dd_schedule *c, const dd_variables *support) {
  int going = 0, coming = 0;
  for (uint32_t k = 0; k < support->count; k++) {
    int v = support->data[k];
    if (c->stays.data[v]) coming++;
    else going += c->holders.data[v] == 1;
  }
  return 2 * going - coming;
}

static uint32_t best_part (const dd_schedule *c, uint32_t from) {
  uint32_t best = from;
  int best_measure = part_score (c, &c->support.data[from]);
  for (uint32_t k = from + 1; k < c->support.count; k++) {
    int m = part_score (c, &c->support.data[k]);
    if (m > best_measure) best = k, best_measure = m;
  }
  return best;
}

static void add_cube_variable (BDD *cube, int v) { dd_set (cube, bdd_and (*cube, bdd_ithvar (v))); }

static void exchange (dd_search *s, dd_steps *steps, uint32_t a, uint32_t b) {
  dd_part part = steps->parts.data[a];
  dd_variables support = s->schedule.support.data[a];
  steps->parts.data[a] = steps->parts.data[b], s->schedule.support.data[a] = s->schedule.support.data[b];
  steps->parts.data[b] = part, s->schedule.support.data[b] = support;
}

// Puts the part at `place` next: collects the variables that no later part has.
static void place_part (dd_search *s, dd_steps *steps, uint32_t place) {
  const dd_variables *support = &s->schedule.support.data[place];
  for (uint32_t k = 0; k < support->count; k++) {
    int v = support->data[k];
    if (--s->schedule.holders.data[v] == 0 && !s->schedule.stays.data[v])
      add_cube_variable (&steps->parts.data[place].last, v);
  }
}

static void order_parts (dd_search *s, dd_steps *steps) {
  for (int v = s->order.count; v-- > 0;)
    if (!s->schedule.holders.data[v] && !s->schedule.stays.data[v]) add_cube_variable (&steps->first, v);
  for (uint32_t place = 0; place < steps->parts.count; place++) {
    exchange (s, steps, place, best_part (&s->schedule, place));
    place_part (s, steps, place);
    dd_stop_if_spent ();
  }
}

static void make_ordered_steps (dd_search *s, dd_steps *steps, bool present_stays) {
  steps->first = bddtrue;
  for (uint32_t k = 0; k < s->relations.count; k++)
    vec_push (&steps->parts, ((dd_part){bdd_addref (s->relations.data[k]), bddtrue}));
  schedule_init (s, steps, present_stays);
  order_parts (s, steps);
  dd_schedule_release (&s->schedule);
}

// The caller owns a reference to the result.
static BDD go_through (const dd_steps *steps, BDD from) {
  BDD ends = bddfalse;
  dd_set (&ends, bdd_exist (from, steps->first));
  for (uint32_t k = 0; k < steps->parts.count; k++) {
    dd_set (&ends, bdd_relprod (ends, steps->parts.data[k].relation, steps->parts.data[k].last));
    dd_stop_if_spent ();
  }
  return ends;
}

// ---- states after states ----------------------------------------------------------------------------

void dd_make_parts (dd_search *s) {
  add_relations (s);
  make_ordered_steps (s, &s->forward, false);
  s->to_now = bdd_newpair ();
  for (uint32_t k = 0; k < s->order.leaves.count; k++)
    if (is_latch (s, k)) bdd_setpair (s->to_now, variable_of (s, k) + 1, variable_of (s, k));
}

BDD dd_image (const dd_search *s, BDD states) {
  BDD ends = go_through (&s->forward, states), now = bdd_replace (ends, s->to_now);
  bdd_delref (ends);
  return now;
}

// ---- steps as pairs of states -----------------------------------------------------------------------

void dd_make_pairs (dd_search *s) {
  make_ordered_steps (s, &s->pairs, true);
  s->now = s->next = bddtrue;
  s->to_next = bdd_newpair ();
  for (uint32_t k = s->order.leaves.count; k-- > 0;) {
    int v = variable_of (s, k);
    if (!is_latch (s, k)) continue;
    add_cube_variable (&s->now, v);
    add_cube_variable (&s->next, v + 1);
    bdd_setpair (s->to_next, v, v + 1);
  }
}

BDD dd_pairs (const dd_search *s, BDD steps) { return go_through (&s->pairs, steps); }
