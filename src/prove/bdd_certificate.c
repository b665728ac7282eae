// The states that were reached, as an and-inverter graph over the latches: each node of the diagram becomes a multiplexer.
#include "base/map.h"
#include "prove/bdd_impl.h"

typedef struct translation {
  const dd_search *s;
  aig *graph;
  VEC (aig_lit) latch_of;  // by variable
  map done;                // node of the diagram -> literal
} translation;

// As deep as the diagram has levels.
static aig_lit translate (translation *t, BDD f) {
  if (f == bddfalse || f == bddtrue) return f == bddtrue ? AIG_TRUE : AIG_FALSE;
  uint64_t *known = map_find (&t->done, (uint64_t) f);
  if (known) return (aig_lit){(uint32_t) *known};
  aig_lit low = translate (t, bdd_low (f)), high = translate (t, bdd_high (f));
  aig_lit x = aig_mux (t->graph, t->latch_of.data[bdd_var (f)], high, low);
  map_insert (&t->done, (uint64_t) f, x.i, NULL);
  return x;
}

void dd_make_certificate (const dd_search *s, prove_certificate *c) {
  translation t = {.s = s, .graph = &c->graph};
  aig_init (&c->graph);
  for (int v = 0; v < s->order.count; v++) vec_push (&t.latch_of, AIG_FALSE);
  for (uint32_t k = 0; k < s->n->latches.count; k++) {
    aig_lit latch = aig_input (&c->graph);
    if (s->order.latch.data[k] >= 0) t.latch_of.data[s->order.latch.data[k]] = latch;
  }
  c->holds = translate (&t, s->reached);
  c->depth = 1;
  vec_release (&t.latch_of);
  map_release (&t.done);
}
