// The tables of a sequential circuit: which inputs of the graph are latches, and which of its literals are next values,
// bad states and conditions.  The functions are in the graph.
#include "netlist/netlist.h"

#include "base/diag.h"

void netlist_init (netlist *n) {
  *n = (netlist){.arena = arena_new ()};
  aig_init (&n->graph);
}

void netlist_release (netlist *n) {
  for (uint32_t k = 0; k < n->justice.count; k++) vec_release (&n->justice.data[k].conditions);
  vec_release (&n->inputs);
  vec_release (&n->latches);
  vec_release (&n->bads);
  vec_release (&n->constraints);
  vec_release (&n->fairness);
  vec_release (&n->justice);
  map_release (&n->of_node);
  aig_release (&n->graph);
  arena_free (n->arena);
  *n = (netlist){0};
}

static const char *copy_name (netlist *n, const char *name) { return name ? arena_strdup (n->arena, name) : NULL; }

void netlist_take_graph (netlist *n, aig *graph) {
  CHECK (!n->inputs.count && !n->latches.count, "a graph should be taken before there are inputs and latches");
  aig_release (&n->graph);
  n->graph = *graph;
  *graph = (aig){0};
}

void netlist_use_as_input (netlist *n, aig_lit now, const char *name) {
  map_insert (&n->of_node, now.i / 2, 2 * (uint64_t) n->inputs.count, NULL);
  vec_push (&n->inputs, ((net_input){now, copy_name (n, name)}));
}

void netlist_use_as_latch (netlist *n, aig_lit now, net_reset reset, const char *name) {
  map_insert (&n->of_node, now.i / 2, 2 * (uint64_t) n->latches.count + 1, NULL);
  vec_push (&n->latches, ((net_latch){now, now, reset, copy_name (n, name)}));
}

aig_lit netlist_add_input (netlist *n, const char *name) {
  aig_lit now = aig_input (&n->graph);
  netlist_use_as_input (n, now, name);
  return now;
}

aig_lit netlist_add_latch (netlist *n, net_reset reset, const char *name) {
  aig_lit now = aig_input (&n->graph);
  netlist_use_as_latch (n, now, reset, name);
  return now;
}

void netlist_set_next (netlist *n, uint32_t latch, aig_lit next) {
  CHECK (latch < n->latches.count, "a next value should be that of a latch");
  n->latches.data[latch].next = next;
}

void netlist_add_bad (netlist *n, aig_lit x, const char *name) {
  vec_push (&n->bads, ((net_output){x, copy_name (n, name)}));
}

void netlist_add_constraint (netlist *n, aig_lit x, const char *name) {
  vec_push (&n->constraints, ((net_output){x, copy_name (n, name)}));
}

void netlist_add_fairness (netlist *n, aig_lit x, const char *name) {
  vec_push (&n->fairness, ((net_output){x, copy_name (n, name)}));
}

net_justice *netlist_add_justice (netlist *n, const char *name) {
  vec_push (&n->justice, ((net_justice){.name = copy_name (n, name)}));
  return &vec_last (&n->justice);
}

void net_path_release (net_path *p) {
  vec_release (&p->start);
  vec_release (&p->inputs);
  *p = (net_path){0};
}

bool netlist_has_latch_without_reset (const netlist *n) {
  for (uint32_t k = 0; k < n->latches.count; k++)
    if (n->latches.data[k].reset == NET_ANY) return true;
  return false;
}
