// A proof about views as one about a circuit, which certificate.c checks.  The circuit has a latch for each bit of a view; all else is an input.  A step whose inputs are not those of a state with this view, or with another view
// that breaks a clause, changes nothing and is not bad.  A constraint would not do: it would assume for the state after the step what is to be shown.
#include "prove/views.h"

void views_init (views *v, const aig *graph) { *v = (views){.graph = graph}; }

void views_release (views *v) {
  vec_release (&v->seen);
  vec_release (&v->next);
  vec_release (&v->reset);
  vec_release (&v->kind);
  vec_release (&v->choices);
  *v = (views){0};
}

// The conditions are about bits that are there, whatever they are: these become choices.
void views_forget (views *v, view_kind k) {
  uint32_t kept = 0, plain = 0, to = 0;
  for (uint32_t view = 0; view < v->num_views; view++)
    for (uint32_t b = 0; b < v->num_bits; b++) {
      aig_lit bit = v->seen.data[(size_t) view * v->num_bits + b];
      if (v->kind.data[b] == k) vec_push (&v->choices, bit);
      else v->seen.data[to++] = bit;
    }
  v->seen.count = to;
  for (uint32_t b = 0; b < v->num_bits; b++) {
    if (v->kind.data[b] == k) continue;
    plain += b < v->num_plain;
    v->kind.data[kept] = v->kind.data[b];
    v->next.data[kept] = v->next.data[b];
    v->reset.data[kept++] = v->reset.data[b];
  }
  v->next.count = v->reset.count = v->kind.count = v->num_bits = kept;
  v->num_plain = plain;
}

typedef struct circuit {
  const views *from;
  netlist net;
  VEC (aig_lit) image;  // by node of the graph
} circuit;

static aig_lit image (const circuit *c, aig_lit x) { return (aig_lit){c->image.data[x.i / 2].i ^ (x.i & 1)}; }

static void copy_graph (circuit *c) {
  const aig *g = c->from->graph;
  vec_push (&c->image, AIG_FALSE);
  for (uint32_t k = 1; k < g->nodes.count; k++) {
    const aig_node *n = &g->nodes.data[k];
    aig_lit x = aig_is_input (g, k) ? netlist_add_input (&c->net, NULL)
                                    : aig_and (&c->net.graph, image (c, n->left), image (c, n->right));
    vec_push (&c->image, x);
  }
}

static aig_lit seen (const circuit *c, uint32_t view, uint32_t bit) {
  return image (c, c->from->seen.data[(size_t) view * c->from->num_bits + bit]);
}

static aig_lit clauses_hold (circuit *c, const prove_certificate *p, uint32_t view) {
  aig_lit all = AIG_TRUE, clause = AIG_FALSE;
  for (uint32_t k = 0; k < p->clauses.count; k++) {
    int32_t x = p->clauses.data[k];
    if (x) {
      aig_lit bit = seen (c, view, (uint32_t) (x < 0 ? -x : x) - 1);
      clause = aig_or (&c->net.graph, clause, x < 0 ? aig_not (bit) : bit);
    } else {
      all = aig_and (&c->net.graph, all, clause);
      clause = AIG_FALSE;
    }
  }
  return all;
}

static void make_circuit (circuit *c, const prove_certificate *p) {
  aig *g = &c->net.graph;
  uint32_t count = c->from->num_bits;
  netlist_init (&c->net);
  copy_graph (c);
  aig_lit counts = image (c, c->from->allowed);
  for (uint32_t b = 0; b < count; b++) {
    aig_lit now = netlist_add_latch (&c->net, (net_reset) c->from->reset.data[b], NULL);
    counts = aig_and (g, counts, aig_not (aig_xor (g, now, seen (c, 0, b))));
  }
  for (uint32_t v = 1; v < c->from->num_views; v++) counts = aig_and (g, counts, clauses_hold (c, p, v));
  for (uint32_t b = 0; b < count; b++)
    netlist_set_next (&c->net, b, aig_mux (g, counts, image (c, c->from->next.data[b]), c->net.latches.data[b].now));
  netlist_add_bad (&c->net, aig_and (g, counts, image (c, c->from->bad)), NULL);
}

static bool is_about_bits (const views *v, const prove_certificate *p) {
  for (uint32_t k = 0; k < p->clauses.count; k++) {
    int64_t x = p->clauses.data[k];
    if ((x < 0 ? -x : x) > v->num_bits) return false;
  }
  return !p->graph.nodes.count && p->depth == 1 && !p->simple && (!p->clauses.count || !vec_last (&p->clauses));
}

bool views_certificate_is_good (const views *v, const prove_certificate *p, const budget *b) {
  if (!is_about_bits (v, p)) return false;
  circuit c = {.from = v};
  make_circuit (&c, p);
  bool good = certificate_is_good (&c.net, 0, p, b);
  netlist_release (&c.net);
  vec_release (&c.image);
  return good;
}
