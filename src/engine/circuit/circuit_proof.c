// Turns an invariant of a reduced circuit into one of the whole circuit: the clauses are about the latches that the
// reduction kept; that the other latches are constant, or equal to kept ones, is part of the invariant.
#include "engine/circuit/circuit_proof.h"

#include "engine/circuit/circuit_names.h"

// ---- the whole circuit ------------------------------------------------------------------------------
static uint32_t latch_of_node (const netlist *n, uint32_t node) {
  return (uint32_t) (*map_find (&n->of_node, node) / 2);
}

static int32_t certificate_literal (uint32_t latch, bool positive) {
  return positive ? (int32_t) latch + 1 : -(int32_t) latch - 1;
}

static void add_same (const net_reduction *r, const netlist *whole, uint32_t latch, prove_certificate *out) {
  aig_lit same = r->same.data[latch];
  if (same.i / 2 == whole->latches.data[latch].now.i / 2) return;
  bool opposite = same.i & 1;
  if (same.i < 2) {
    vec_push (&out->clauses, certificate_literal (latch, opposite));  // the constants are 0 and its opposite
    vec_push (&out->clauses, 0);
    return;
  }
  uint32_t other = latch_of_node (whole, same.i / 2);
  for (int side = 0; side < 2; side++) {
    vec_push (&out->clauses, certificate_literal (latch, side));
    vec_push (&out->clauses, certificate_literal (other, side == opposite));
    vec_push (&out->clauses, 0);
  }
}

static void copy_graph (const net_reduction *r, const netlist *whole, const prove_certificate *from,
                        prove_certificate *out) {
  VEC (aig_lit) latches = {0}, image = {0};
  aig_init (&out->graph);
  for (uint32_t k = 0; k < whole->latches.count; k++) vec_push (&latches, aig_input (&out->graph));
  for (uint32_t k = 0; k < from->graph.nodes.count; k++) {
    aig_node x = from->graph.nodes.data[k];
    aig_lit now = AIG_FALSE;
    if (k && aig_is_input (&from->graph, k)) now = latches.data[r->latches.data[x.right.i]];
    else if (k)
      now = aig_and (&out->graph, (aig_lit){image.data[x.left.i / 2].i ^ (x.left.i & 1)},
                     (aig_lit){image.data[x.right.i / 2].i ^ (x.right.i & 1)});
    vec_push (&image, now);
  }
  out->holds = (aig_lit){image.data[from->holds.i / 2].i ^ (from->holds.i & 1)};
  vec_release (&latches);
  vec_release (&image);
}

void proof_make_whole (const net_reduction *r, const netlist *whole, const prove_certificate *from,
                       prove_certificate *out) {
  *out = (prove_certificate){.depth = from->depth, .simple = from->simple};
  for (uint32_t k = 0; k < from->clauses.count; k++) {
    int32_t x = from->clauses.data[k];
    vec_push (&out->clauses, !x ? 0 : certificate_literal (r->latches.data[(x < 0 ? -x : x) - 1], x > 0));
  }
  for (uint32_t k = 0; k < whole->latches.count; k++) add_same (r, whole, k, out);
  if (from->graph.nodes.count) copy_graph (r, whole, from, out);
}

void proof_release (prove_certificate *c) {
  vec_release (&c->clauses);
  if (c->graph.nodes.count) aig_release (&c->graph);
  *c = (prove_certificate){0};
}

// ---- writing ----------------------------------------------------------------------------------------
void proof_print_circuit (uint32_t properties, strbuf *out) {
  const char *before = "circuit ";
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) {
    if (!(properties >> p & 1)) continue;
    strbuf_printf (out, "%s%s", before, ir_property_name[p]);
    before = ",";
  }
  strbuf_add (out, "\n");
}

typedef VEC (const char *) name_list;

static void name_latches (const transition_system *s, const lowered *l, name_list *out) {
  naming n;
  naming_init (&n, s);
  for (uint32_t state = 0; state < s->states.count; state++) {
    uint32_t bits = term_bits (&s->m->terms, s->states.data[state].now);
    for (uint32_t bit = 0; bit < bits && out->count < l->circuit.latches.count; bit++)
      vec_push (out, name_of_bit (&n, state, bit));
  }
  naming_release (&n);
}

static void print_clauses (const prove_certificate *c, const name_list *names, strbuf *out) {
  const char *before = "clause ";
  for (uint32_t k = 0; k < c->clauses.count; k++) {
    int32_t x = c->clauses.data[k];
    if (x) strbuf_printf (out, "%s%s%s", before, x < 0 ? "!" : "", names->data[(x < 0 ? -x : x) - 1]);
    else strbuf_add (out, before[0] == 'c' ? "clause\n" : "\n");
    before = x ? " | " : "clause ";
  }
}

static void print_operand (const aig *g, aig_lit x, const name_list *names, strbuf *out) {
  uint32_t node = x.i / 2;
  if (!node) strbuf_add (out, x.i & 1 ? "true" : "false");
  else {
    if (x.i & 1) strbuf_add_char (out, '!');
    if (aig_is_input (g, node)) strbuf_add (out, names->data[g->nodes.data[node].right.i]);
    else strbuf_printf (out, "#%u", node);
  }
}

static void print_graph (const prove_certificate *c, const name_list *names, strbuf *out) {
  const aig *g = &c->graph;
  if (!g->nodes.count) return;
  for (uint32_t node = 1; node < g->nodes.count; node++) {
    if (aig_is_input (g, node)) continue;
    strbuf_printf (out, "gate #%u = ", node);
    print_operand (g, g->nodes.data[node].left, names, out);
    strbuf_add (out, " & ");
    print_operand (g, g->nodes.data[node].right, names, out);
    strbuf_add (out, "\n");
  }
  strbuf_add (out, "holds ");
  print_operand (g, c->holds, names, out);
  strbuf_add (out, "\n");
}

void proof_print (const transition_system *s, const lowered *l, const char *property, const prove_certificate *c,
                  strbuf *out) {
  name_list names = {0};
  name_latches (s, l, &names);
  strbuf_printf (out, "proof %s\ndepth %u%s\n", property, c->depth, c->simple ? " simple" : "");
  print_clauses (c, &names, out);
  print_graph (c, &names, out);
  strbuf_add (out, "end\n");
  vec_release (&names);
}
