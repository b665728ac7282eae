// Proofs about views by binary decision diagrams: the least set of views that is closed under steps (views.h), as in
// Abdulla, Haziza, Holik, "All for the price of few" (2013), section 4, with sets as diagrams instead of lists. This is
// better than IC3 where few values are reached on long paths: the number of IC3's levels grows with the length of the
// paths.
//
// The set R has variables of its own, one for each bit of a view. A state counts when R is true of all its views: R
// with the bits of each view substituted for the variables. The images of the states that count for the first time are
// added to R, until there are none.
#include "prove/bdd_impl.h"
#include "prove/views_impl.h"

typedef struct view_closure {
  dd_search s;         // goals: by bit its latch and its literal in the views; then allowed and bad
  views_circuit c;     // with a latch for each bit of a view
  VEC (bddPair *) in;  // by view: the substitution of its bits for the latches
  BDD counted;         // states that counted before
} view_closure;

static uint32_t goal_of (const views *v, uint32_t view, uint32_t bit) { return bit * (v->num_views + 1) + 1 + view; }

static BDD last_goal (const view_closure *x, uint32_t from_end) {
  return x->s.goals_now.data[x->s.goals_now.count - from_end];
}

// ---- the circuit ------------------------------------------------------------------------------------
static void make_diagram_circuit (view_closure *x, const views *v) {
  views_circuit_init (&x->c, v);
  for (uint32_t b = 0; b < v->num_bits; b++) {
    vec_push (&x->s.goals, netlist_add_latch (&x->c.net, (net_reset) v->reset.data[b], NULL));
    netlist_set_next (&x->c.net, b, views_circuit_image (&x->c, v->next.data[b]));
    for (uint32_t k = 0; k < v->num_views; k++) vec_push (&x->s.goals, views_circuit_seen (&x->c, k, b));
  }
  vec_push (&x->s.goals, views_circuit_image (&x->c, v->allowed));
  vec_push (&x->s.goals, views_circuit_image (&x->c, v->bad));
}

static void make_pairs (view_closure *x) {
  const views *v = x->c.from;
  for (uint32_t k = 0; k < v->num_views; k++) {
    vec_push (&x->in, bdd_newpair ());
    for (uint32_t b = 0; b < v->num_bits; b++)
      bdd_setbddpair (x->in.data[k], x->s.order.latch.data[b], x->s.goals_now.data[goal_of (v, k, b)]);
  }
}

// ---- the fixpoint -----------------------------------------------------------------------------------
// Returns the states that may take a step and count for the first time. The caller owns a reference.
static BDD find_new_states (view_closure *x) {
  BDD all = bdd_addref (last_goal (x, 2));
  for (uint32_t k = 0; k < x->in.count; k++) {
    BDD view = bdd_addref (bdd_veccompose (x->s.reached, x->in.data[k]));
    dd_set (&all, bdd_and (all, view));
    bdd_delref (view);
    dd_stop_if_spent ();
  }
  BDD fresh = bdd_addref (bdd_apply (all, x->counted, bddop_diff));
  dd_set (&x->counted, all);
  bdd_delref (all);
  return fresh;
}

static void add_images (view_closure *x, BDD states) {
  BDD after = bdd_addref (dd_image (&x->s, states));
  dd_set (&x->s.reached, bdd_or (x->s.reached, after));
  bdd_delref (after);
}

static void close (void *state) {
  view_closure *x = state;
  prove_result *r = x->s.r;
  dd_start (&x->s);
  make_pairs (x);
  x->counted = bddfalse;
  for (;;) {
    BDD fresh = find_new_states (x);
    r->bdd_nodes = (uint64_t) bdd_getnodenum ();
    prove_say (x->s.o, "views: round %u, %d nodes for the views, %d for new states, %llu in all", ++r->depth,
               bdd_nodecount (x->s.reached), bdd_nodecount (fresh), (unsigned long long) r->bdd_nodes);
    if (fresh == bddfalse) break;
    if (bdd_and (fresh, last_goal (x, 1)) != bddfalse) {
      r->answer = PROVE_VIOLATED;
      return;
    }
    add_images (x, fresh);
    bdd_delref (fresh);
  }
  dd_make_certificate (&x->s, &r->certificate);
  r->answer = PROVE_HOLDS;
}

void views_prove_by_bdd (const views *v, const prove_options *o, prove_result *r) {
  *r = (prove_result){.path.loop = NET_NO_LOOP};
  view_closure x = {.s = {.o = o, .r = r}};
  make_diagram_circuit (&x, v);
  x.s.n = &x.c.net;
  dd_find_order (&x.s, true);
  dd_search_by (&x.s, close, &x);
  views_circuit_release (&x.c);
  vec_release (&x.in);
}
