// Plain circuits.  A latch that starts as 1 is stored complemented.  A latch without reset value has an input of its
// own, which is its value at the first step; a helper latch says that the first step is over.  Another helper latch
// says that a constraint has failed; from then on no bad state and no condition of a justice property holds.
#include "netlist/plain.h"

typedef struct plainer {
  const netlist *from;
  netlist *to;
  VEC (aig_lit) image;  // by node of the original
  aig_lit started;      // the first step is over; used only if a latch has no reset value
  aig_lit allowed;      // every constraint holds at this step and at each step before
} plainer;

static aig_lit plain_image (const plainer *p, aig_lit x) { return (aig_lit){p->image.data[x.i / 2].i ^ (x.i & 1)}; }

static aig_lit add_plain_latch (plainer *p, const char *name, uint32_t *number) {
  *number = p->to->latches.count;
  return netlist_add_latch (p->to, NET_ZERO, name);
}

// ---- leaves -----------------------------------------------------------------------------------------

static void add_inputs_and_latches (plainer *p) {
  const netlist *n = p->from;
  for (uint32_t k = 0; k < n->inputs.count; k++)
    p->image.data[n->inputs.data[k].now.i / 2] = netlist_add_input (p->to, n->inputs.data[k].name);
  for (uint32_t k = 0; k < n->latches.count; k++) {
    aig_lit stored = netlist_add_latch (p->to, NET_ZERO, n->latches.data[k].name);
    p->image.data[n->latches.data[k].now.i / 2] = (aig_lit){stored.i ^ (n->latches.data[k].reset == NET_ONE)};
  }
}

static void choose_starts (plainer *p) {
  const netlist *n = p->from;
  if (!netlist_has_latch_without_reset (n)) return;
  uint32_t helper;
  p->started = add_plain_latch (p, "started", &helper);
  netlist_set_next (p->to, helper, AIG_TRUE);
  for (uint32_t k = 0; k < n->latches.count; k++) {
    if (n->latches.data[k].reset != NET_ANY) continue;
    aig_lit *now = &p->image.data[n->latches.data[k].now.i / 2], start = netlist_add_input (p->to, NULL);
    *now = aig_mux (&p->to->graph, p->started, *now, start);
  }
}

// ---- functions --------------------------------------------------------------------------------------

static void copy_plain_functions (plainer *p) {
  const netlist *n = p->from;
  for (uint32_t i = 1; i < n->graph.nodes.count; i++) {
    aig_node x = n->graph.nodes.data[i];
    if (!aig_is_input (&n->graph, i))
      p->image.data[i] = aig_and (&p->to->graph, plain_image (p, x.left), plain_image (p, x.right));
  }
  for (uint32_t k = 0; k < n->latches.count; k++)
    netlist_set_next (p->to, k,
                      (aig_lit){plain_image (p, n->latches.data[k].next).i ^ (n->latches.data[k].reset == NET_ONE)});
}

static void fold_constraints (plainer *p) {
  const netlist *n = p->from;
  aig *g = &p->to->graph;
  p->allowed = AIG_TRUE;
  if (!n->constraints.count) return;
  uint32_t helper;
  aig_lit failed = add_plain_latch (p, "failed", &helper);
  for (uint32_t k = 0; k < n->constraints.count; k++)
    p->allowed = aig_and (g, p->allowed, plain_image (p, n->constraints.data[k].holds));
  p->allowed = aig_and (g, p->allowed, aig_not (failed));
  netlist_set_next (p->to, helper, aig_not (p->allowed));
}

static void copy_plain_justice (plainer *p, const net_justice *from) {
  net_justice *to = netlist_add_justice (p->to, from->name);
  for (uint32_t k = 0; k < from->conditions.count; k++)
    vec_push (&to->conditions, plain_image (p, from->conditions.data[k]));
  vec_push (&to->conditions, p->allowed);
}

static void copy_properties (plainer *p) {
  const netlist *n = p->from;
  for (uint32_t k = 0; k < n->bads.count; k++)
    netlist_add_bad (p->to, aig_and (&p->to->graph, plain_image (p, n->bads.data[k].holds), p->allowed),
                     n->bads.data[k].name);
  for (uint32_t k = 0; k < n->justice.count; k++) copy_plain_justice (p, &n->justice.data[k]);
  for (uint32_t k = 0; k < n->fairness.count; k++)
    netlist_add_fairness (p->to, plain_image (p, n->fairness.data[k].holds), n->fairness.data[k].name);
}

void netlist_make_plain (netlist *plain, const netlist *n) {
  plainer p = {.from = n, .to = plain};
  netlist_init (plain);
  for (uint32_t i = 0; i < n->graph.nodes.count; i++) vec_push (&p.image, AIG_FALSE);
  add_inputs_and_latches (&p);
  choose_starts (&p);
  copy_plain_functions (&p);
  fold_constraints (&p);
  copy_properties (&p);
  if (!plain->latches.count) netlist_add_latch (plain, NET_ZERO, "some latch");
  vec_release (&p.image);
}

// ---- paths ------------------------------------------------------------------------------------------

void net_path_from_plain (const netlist *n, const netlist *plain, const net_path *from, net_path *to) {
  *to = (net_path){.length = from->length, .loop = from->loop};
  uint32_t start = n->inputs.count;  // input of the next latch without reset value
  for (uint32_t k = 0; k < n->latches.count; k++) {
    net_reset reset = n->latches.data[k].reset;
    vec_push (&to->start, reset == NET_ANY ? from->inputs.data[start++] : reset == NET_ONE);
  }
  for (uint32_t step = 0; step < from->length; step++)
    for (uint32_t k = 0; k < n->inputs.count; k++)
      vec_push (&to->inputs, from->inputs.data[(size_t) step * plain->inputs.count + k]);
}
