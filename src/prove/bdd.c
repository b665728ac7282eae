// Reachability by binary decision diagrams (Burch, Clarke, McMillan, Dill, Hwang, "Symbolic model checking: 10^20
// states and beyond", 1990): computes the states one step after the new states, until the bad state is among them or no
// state is new. In the latter case the set of reached states is an inductive invariant.
#include "base/diag.h"
#include "base/limits.h"
#include "netlist/netlist_simulate.h"
#include "prove/bdd_impl.h"

// ---- start ------------------------------------------------------------------------------------------

static void make_variables (const dd_order *o) {
  bdd_setvarnum (o->count ? o->count : 1);  // BuDDy requires at least one
  for (uint32_t k = 0, v = 0; k < o->leaves.count; k++) {
    uint32_t width = o->leaves.data[k] & 1 ? 2 : 1;
    bdd_intaddvarblock ((int) v, (int) (v + width - 1), BDD_REORDER_FIXED);
    v += width;
  }
  bdd_autoreorder (BDD_REORDER_SIFT);
}

static void add_reset_states (dd_search *s) {
  BDD states = bddtrue;
  for (uint32_t k = 0; k < s->n->latches.count; k++) {
    int v = s->order.latch.data[k];
    net_reset reset = s->n->latches.data[k].reset;
    if (v >= 0 && reset != NET_ANY)
      dd_set (&states, bdd_and (states, reset == NET_ONE ? bdd_ithvar (v) : bdd_nithvar (v)));
  }
  dd_set (&s->reached, states);
  dd_push (&s->frontiers, states);
  bdd_delref (states);
}

void dd_start (dd_search *s) {
  make_variables (&s->order);
  dd_build (s);
  dd_make_parts (s);
  add_reset_states (s);
}

// ---- steps ------------------------------------------------------------------------------------------

void dd_note_size (dd_search *s) {
  uint64_t nodes = (uint64_t) bdd_getnodenum ();
  if (nodes > s->r->bdd_nodes) s->r->bdd_nodes = nodes;
  prove_say (s->o, "step %u: %d nodes for the new states, %d for all so far, %llu in all", s->frontiers.count - 1,
             bdd_nodecount (vec_last (&s->frontiers)), bdd_nodecount (s->reached), (unsigned long long) nodes);
}

bool dd_add_frontier (dd_search *s) {
  BDD frontier = bdd_addref (dd_image (s, vec_last (&s->frontiers)));
  dd_set (&frontier, bdd_apply (frontier, s->reached, bddop_diff));
  dd_set (&s->reached, bdd_or (s->reached, frontier));
  bool any = frontier != bddfalse;
  if (any) dd_push (&s->frontiers, frontier);
  bdd_delref (frontier);
  return any;
}

static void drop_inputs (dd_search *s) {
  BDD inputs = bddtrue;
  for (uint32_t k = 0; k < s->n->inputs.count; k++)
    if (s->order.input.data[k] >= 0) dd_set (&inputs, bdd_and (inputs, bdd_ithvar (s->order.input.data[k])));
  dd_set (&s->bad_states, bdd_exist (s->goals_now.data[0], inputs));
  bdd_delref (inputs);
}

static bool frontier_is_bad (const dd_search *s) {
  return bdd_and (vec_last (&s->frontiers), s->bad_states) != bddfalse;
}

static void conclude_reachable (dd_search *s) {
  dd_find_path (s);
  s->r->depth = s->r->path.length;
  s->r->answer = PROVE_VIOLATED;
}

static void conclude_unreachable (dd_search *s) {
  dd_make_certificate (s, &s->r->certificate);
  s->r->answer = PROVE_HOLDS;
}

static void search_bad_state (void *state) {
  dd_search *s = state;
  dd_start (s);
  drop_inputs (s);
  for (;;) {
    dd_stop_if_spent ();
    dd_note_size (s);
    if (frontier_is_bad (s)) return conclude_reachable (s);
    s->r->depth = s->frontiers.count;
    if (s->o->max_depth && s->r->depth >= s->o->max_depth) {
      s->r->answer = PROVE_BOUNDED;
      return;
    }
    if (!dd_add_frontier (s)) return conclude_unreachable (s);
  }
}

// ---- the back end -----------------------------------------------------------------------------------

static void dd_search_release (dd_search *s) {
  vec_release (&s->goals);
  dd_order_release (&s->order);
  dd_schedule_release (&s->schedule);
  vec_release (&s->nodes);
  vec_release (&s->uses);
  vec_release (&s->nexts);
  vec_release (&s->constraints);
  vec_release (&s->goals_now);
  vec_release (&s->relations);
  vec_release (&s->forward.parts);
  vec_release (&s->pairs.parts);
  vec_release (&s->frontiers);
  vec_release (&s->assignment);
}

void dd_search_by (dd_search *s, void (*search_all) (void *), void *state) {
  prove_result *r = s->r;
  if (over_limit (BDD_VARIABLES, s->order.count)) r->why = "too many latches and inputs for decision diagrams";
  else r->why = dd_run (s->o->budget, s->order.count, search_all, state);
  if (r->why && r->answer == PROVE_UNKNOWN) net_path_release (&r->path);
  dd_search_release (s);
}

void prove_by_bdd (const netlist *n, uint32_t bad, const prove_options *o, prove_result *r) {
  CHECK (bad < n->bads.count, "a bad state should be one of the circuit");
  dd_search s = {.n = n, .o = o, .r = r};
  *r = (prove_result){.path.loop = NET_NO_LOOP};
  vec_push (&s.goals, n->bads.data[bad].holds);
  dd_find_order (&s, false);
  dd_search_by (&s, search_bad_state, &s);
  CHECK (r->answer != PROVE_VIOLATED || net_path_shows (n, bad, &r->path),
         "a path through the frontiers should show the bad state");
}
