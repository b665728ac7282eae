// Turns a proof about views into one about a circuit, which certificate.c checks. The circuit has a latch for each bit
// of a view; everything else is an input. If the inputs do not describe a state with this view, or describe one with
// another view that breaks a clause, the step changes nothing and is not bad. A constraint would not do: it would
// assume for the state after the step the property that has to be shown.
#include "prove/views_impl.h"

void views_init (views *v, const aig *graph) { *v = (views){.graph = graph}; }

void views_release (views *v) {
  vec_release (&v->seen);
  vec_release (&v->next);
  vec_release (&v->reset);
  vec_release (&v->kind);
  vec_release (&v->choices);
  *v = (views){0};
}

// The conditions are about bits that the invariant may not use: these become choices.
static void keep_bits (views *v, const bool *stays) {
  uint32_t kept = 0, plain = 0, to = 0;
  for (uint32_t view = 0; view < v->num_views; view++)
    for (uint32_t b = 0; b < v->num_bits; b++) {
      aig_lit bit = v->seen.data[(size_t) view * v->num_bits + b];
      if (stays[b]) v->seen.data[to++] = bit;
      else if (b < v->num_plain) vec_push (&v->choices, bit);
    }
  v->seen.count = to;
  for (uint32_t b = 0; b < v->num_bits; b++) {
    if (!stays[b]) continue;
    plain += b < v->num_plain;
    v->kind.data[kept] = v->kind.data[b];
    v->next.data[kept] = v->next.data[b];
    v->reset.data[kept++] = v->reset.data[b];
  }
  v->next.count = v->reset.count = v->kind.count = v->num_bits = kept;
  v->num_plain = plain;
}

void views_forget (views *v, view_kind k) {
  VEC (bool) stays = {0};
  for (uint32_t b = 0; b < v->num_bits; b++) vec_push (&stays, v->kind.data[b] != k);
  keep_bits (v, stays.data);
  vec_release (&stays);
}

void views_forget_conditions (views *v) {
  VEC (bool) stays = {0};
  for (uint32_t b = 0; b < v->num_bits; b++) vec_push (&stays, b < v->num_plain);
  keep_bits (v, stays.data);
  vec_release (&stays);
}

// ---- the circuit ------------------------------------------------------------------------------------
aig_lit views_circuit_image (const views_circuit *c, aig_lit x) {
  return (aig_lit){c->image.data[x.i / 2].i ^ (x.i & 1)};
}

aig_lit views_circuit_seen (const views_circuit *c, uint32_t view, uint32_t bit) {
  return views_circuit_image (c, c->from->seen.data[(size_t) view * c->from->num_bits + bit]);
}

void views_circuit_init (views_circuit *c, const views *v) {
  *c = (views_circuit){.from = v};
  netlist_init (&c->net);
  vec_push (&c->image, AIG_FALSE);
  for (uint32_t k = 1; k < v->graph->nodes.count; k++) {
    const aig_node *n = &v->graph->nodes.data[k];
    aig_lit x = aig_is_input (v->graph, k)
                    ? netlist_add_input (&c->net, NULL)
                    : aig_and (&c->net.graph, views_circuit_image (c, n->left), views_circuit_image (c, n->right));
    vec_push (&c->image, x);
  }
}

void views_circuit_release (views_circuit *c) {
  netlist_release (&c->net);
  vec_release (&c->image);
}

// ---- the invariant in a view ------------------------------------------------------------------------
static aig_lit clauses_literal (views_circuit *c, const prove_certificate *p, uint32_t view) {
  aig_lit all = AIG_TRUE, clause = AIG_FALSE;
  for (uint32_t k = 0; k < p->clauses.count; k++) {
    int32_t x = p->clauses.data[k];
    if (x) {
      aig_lit bit = views_circuit_seen (c, view, (uint32_t) (x < 0 ? -x : x) - 1);
      clause = aig_or (&c->net.graph, clause, x < 0 ? aig_not (bit) : bit);
    } else {
      all = aig_and (&c->net.graph, all, clause);
      clause = AIG_FALSE;
    }
  }
  return all;
}

// The k-th input of the certificate's graph is bit k.
static aig_lit graph_holds (views_circuit *c, const prove_certificate *p, uint32_t view) {
  VEC (aig_lit) image = {0};
  uint32_t bit = 0;
  vec_push (&image, AIG_FALSE);
  for (uint32_t k = 1; k < p->graph.nodes.count; k++) {
    const aig_node *n = &p->graph.nodes.data[k];
    if (aig_is_input (&p->graph, k)) vec_push (&image, views_circuit_seen (c, view, bit++));
    else {
      aig_lit left = {image.data[n->left.i / 2].i ^ (n->left.i & 1)},
              right = {image.data[n->right.i / 2].i ^ (n->right.i & 1)};
      vec_push (&image, aig_and (&c->net.graph, left, right));
    }
  }
  aig_lit holds = {image.data[p->holds.i / 2].i ^ (p->holds.i & 1)};
  vec_release (&image);
  return holds;
}

static aig_lit invariant_holds (views_circuit *c, const prove_certificate *p, uint32_t view) {
  aig_lit clauses = clauses_literal (c, p, view);
  return p->graph.nodes.count ? aig_and (&c->net.graph, clauses, graph_holds (c, p, view)) : clauses;
}

static void make_checked_circuit (views_circuit *c, const views *v, const prove_certificate *p) {
  views_circuit_init (c, v);
  aig *g = &c->net.graph;
  aig_lit counts = views_circuit_image (c, v->allowed);
  for (uint32_t b = 0; b < v->num_bits; b++) {
    aig_lit now = netlist_add_latch (&c->net, (net_reset) v->reset.data[b], NULL);
    counts = aig_and (g, counts, aig_not (aig_xor (g, now, views_circuit_seen (c, 0, b))));
  }
  for (uint32_t k = 1; k < v->num_views; k++) counts = aig_and (g, counts, invariant_holds (c, p, k));
  for (uint32_t b = 0; b < v->num_bits; b++)
    netlist_set_next (&c->net, b,
                      aig_mux (g, counts, views_circuit_image (c, v->next.data[b]), c->net.latches.data[b].now));
  netlist_add_bad (&c->net, aig_and (g, counts, views_circuit_image (c, v->bad)), NULL);
}

static bool is_about_bits (const views *v, const prove_certificate *p) {
  for (uint32_t k = 0; k < p->clauses.count; k++) {
    int64_t x = p->clauses.data[k];
    if ((x < 0 ? -x : x) > v->num_bits) return false;
  }
  uint32_t inputs = 0;
  for (uint32_t k = 1; k < p->graph.nodes.count; k++) inputs += aig_is_input (&p->graph, k);
  return inputs <= v->num_bits && p->depth == 1 && !p->simple && (!p->clauses.count || !vec_last (&p->clauses));
}

bool views_certificate_is_good (const views *v, const prove_certificate *p, const budget *b) {
  if (!is_about_bits (v, p)) return false;
  views_circuit c;
  make_checked_circuit (&c, v, p);
  bool good = certificate_is_good (&c.net, 0, p, b);
  views_circuit_release (&c);
  return good;
}
