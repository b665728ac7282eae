// Turns terms into gates. The blaster makes an input of the graph for each bit of a variable that it finds; afterwards
// some of these become latches.
#include "engine/circuit/circuit_lower.h"

#include "encode/blast.h"
#include "engine/circuit/circuit_names.h"

const char lowered_omission_name[] = "left out";

typedef struct gate_lowering {
  transition_system *s;
  blaster b;
  lowered *out;
  bool named;  // inputs and latches have names
  naming names;
} gate_lowering;

static net_reset reset_of (const gate_lowering *l, const system_state *x, uint32_t bit) {
  if (x->initial.i == TERM_NONE.i || !term_is_const (&l->s->m->terms, x->initial)) return NET_ANY;
  return term_value (&l->s->m->terms, x->initial) >> bit & 1 ? NET_ONE : NET_ZERO;
}

static void blast_system (gate_lowering *l) {
  const transition_system *s = l->s;
  for (uint32_t k = 0; k < s->states.count; k++) {
    blast (&l->b, s->states.data[k].now);
    blast (&l->b, s->states.data[k].next);
  }
  for (uint32_t k = 0; k < s->goals.count; k++) blast (&l->b, s->goals.data[k].holds);
  for (uint32_t k = 0; k < s->omissions.count; k++) blast (&l->b, s->omissions.data[k].holds);
  for (uint32_t k = 0; k < s->constraints.count; k++) blast (&l->b, s->constraints.data[k]);
  for (uint32_t k = 0; k < s->justice.count; k++) blast (&l->b, s->justice.data[k]);
  for (uint32_t k = 0; k < s->predicates.count; k++)
    vec_push (&l->out->predicates, blast (&l->b, s->predicates.data[k])[0]);
}

static void add_latches (gate_lowering *l) {
  netlist *n = &l->out->circuit;
  for (uint32_t k = 0; k < l->s->states.count; k++) {
    const system_state *x = &l->s->states.data[k];
    const aig_lit *now = blasted (&l->b, x->now), *next = blasted (&l->b, x->next);
    vec_push (&l->out->latch_of, n->latches.count);
    for (uint32_t bit = 0; bit < term_bits (&l->s->m->terms, x->now); bit++) {
      netlist_use_as_latch (n, now[bit], reset_of (l, x, bit), l->named ? name_of_bit (&l->names, k, bit) : NULL);
      netlist_set_next (n, n->latches.count - 1, next[bit]);
    }
  }
}

// Adds the remaining inputs of the graph as inputs of the circuit: bits of the system's inputs, and results of
// operators that may have any value.
static void add_inputs (gate_lowering *l) {
  netlist *n = &l->out->circuit;
  const term_pool *p = &l->s->m->terms;
  for (uint32_t v = 0; v < p->variables.count; v++) {
    term t = p->variables.data[v];
    const aig_lit *bits = blasted (&l->b, t);
    if (!bits || map_find (&n->of_node, bits[0].i / 2)) continue;
    map_insert (&l->out->input_of, t.i, n->inputs.count, NULL);
    const char *name = l->named ? name_of_input (&l->names, t) : NULL;
    for (uint32_t bit = 0; bit < term_bits (p, t); bit++)
      netlist_use_as_input (n, bits[bit], name ? arena_printf (n->arena, "%s[%u]", name, bit) : NULL);
  }
  for (uint32_t node = 1; node < n->graph.nodes.count; node++)
    if (aig_is_input (&n->graph, node) && !map_find (&n->of_node, node))
      netlist_use_as_input (n, (aig_lit){2 * node}, NULL);
}

static void lower_requested_goals (gate_lowering *l, const bool *asked) {
  netlist *n = &l->out->circuit;
  aig_lit wrong = AIG_FALSE;
  for (uint32_t k = 0; k < l->s->goals.count; k++)
    if (asked && asked[k]) wrong = aig_or (&n->graph, wrong, blasted (&l->b, l->s->goals.data[k].holds)[0]);
  netlist_add_bad (n, wrong, "something goes wrong");
}

static void add_goals_of (gate_lowering *l, ir_property p) {
  netlist *n = &l->out->circuit;
  aig_lit wrong = AIG_FALSE;
  for (uint32_t k = 0; k < l->s->goals.count; k++)
    if (l->s->goals.data[k].property == p)
      wrong = aig_or (&n->graph, wrong, blasted (&l->b, l->s->goals.data[k].holds)[0]);
  netlist_add_bad (n, wrong, ir_property_name[p]);
}

static void lower_omissions_and_constraints (gate_lowering *l) {
  netlist *n = &l->out->circuit;
  aig_lit lost = AIG_FALSE;
  for (uint32_t k = 0; k < l->s->omissions.count; k++)
    lost = aig_or (&n->graph, lost, blasted (&l->b, l->s->omissions.data[k].holds)[0]);
  netlist_add_bad (n, lost, lowered_omission_name);
  for (uint32_t k = 0; k < l->s->constraints.count; k++)
    netlist_add_constraint (n, blasted (&l->b, l->s->constraints.data[k])[0], NULL);
  if (!l->s->justice.count) return;
  net_justice *j = netlist_add_justice (n, "again and again");
  for (uint32_t k = 0; k < l->s->justice.count; k++)
    vec_push (&j->conditions, blasted (&l->b, l->s->justice.data[k])[0]);
}

static void lowering_init (gate_lowering *l, transition_system *s, bool named, lowered *out) {
  *out = (lowered){0};
  netlist_init (&out->circuit);
  *l = (gate_lowering){.s = s, .out = out, .named = named};
  naming_init (&l->names, s);
  blaster_init (&l->b, &s->m->terms);
  blast_system (l);
  netlist_take_graph (&out->circuit, &l->b.graph);
  add_latches (l);
  add_inputs (l);
}

static void finish_lowering (gate_lowering *l) {
  lower_omissions_and_constraints (l);
  l->out->is_exact = l->b.is_exact;
  naming_release (&l->names);
  blaster_release (&l->b);
}

void lower_goals (transition_system *s, const bool *asked, lowered *out) {
  gate_lowering l;
  lowering_init (&l, s, false, out);
  lower_requested_goals (&l, asked);
  finish_lowering (&l);
}

void lower_by_property (transition_system *s, uint32_t properties, lowered *out) {
  gate_lowering l;
  lowering_init (&l, s, true, out);
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++)
    if (properties >> p & 1) add_goals_of (&l, (ir_property) p);
  finish_lowering (&l);
}

void lowered_release (lowered *l) {
  netlist_release (&l->circuit);
  vec_release (&l->latch_of);
  vec_release (&l->predicates);
  map_release (&l->input_of);
}

ir_value lowered_input (const lowered *l, const net_path *p, uint32_t step, term input, unsigned bits) {
  const uint64_t *first = map_find (&l->input_of, input.i);
  ir_value x = 0;
  for (unsigned bit = 0; first && bit < bits; bit++)
    x |= (ir_value) p->inputs.data[(size_t) step * l->circuit.inputs.count + *first + bit] << bit;
  return x;
}

ir_value lowered_start (const lowered *l, const net_path *p, uint32_t state, unsigned bits) {
  ir_value x = 0;
  for (unsigned bit = 0; bit < bits; bit++) x |= (ir_value) p->start.data[l->latch_of.data[state] + bit] << bit;
  return x;
}
