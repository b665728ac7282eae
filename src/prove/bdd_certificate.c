// Translates sets of states to literals of an and-inverter graph over the latches: each node of the diagram becomes a
// multiplexer.
#include "prove/bdd_impl.h"

typedef struct translation {
  aig *graph;
  VEC (aig_lit) latch_of;  // by variable
  map *done;               // node of the diagram -> literal
} translation;

// The depth of the recursion is at most the number of levels of the diagram.
static aig_lit translate_diagram (translation *t, BDD f) {
  if (f == bddfalse || f == bddtrue) return f == bddtrue ? AIG_TRUE : AIG_FALSE;
  uint64_t *known = map_find (t->done, (uint64_t) f);
  if (known) return (aig_lit){(uint32_t) *known};
  aig_lit low = translate_diagram (t, bdd_low (f)), high = translate_diagram (t, bdd_high (f));
  aig_lit x = aig_mux (t->graph, t->latch_of.data[bdd_var (f)], high, low);
  map_insert (t->done, (uint64_t) f, x.i, NULL);
  return x;
}

// Inputs are the first nodes of the graph.
static aig_lit graph_latch (uint32_t latch) { return (aig_lit){2 * (latch + 1)}; }

aig_lit dd_translate (const dd_search *s, BDD f, aig *graph, map *done) {
  translation t = {.graph = graph, .done = done};
  for (int v = 0; v < s->order.count; v++) vec_push (&t.latch_of, AIG_FALSE);
  for (uint32_t k = 0; k < s->n->latches.count; k++)
    if (s->order.latch.data[k] >= 0) t.latch_of.data[s->order.latch.data[k]] = graph_latch (k);
  aig_lit x = translate_diagram (&t, f);
  vec_release (&t.latch_of);
  return x;
}

void dd_start_graph (const dd_search *s, aig *graph) {
  aig_init (graph);
  for (uint32_t k = 0; k < s->n->latches.count; k++) aig_input (graph);
}

void dd_make_certificate (const dd_search *s, prove_certificate *c) {
  map done = {0};
  dd_start_graph (s, &c->graph);
  c->holds = dd_translate (s, s->reached, &c->graph, &done);
  c->depth = 1;
  map_release (&done);
}
