// Simulation node by node: the nodes of the graph are in topological order, so one pass evaluates all of them.
#include "netlist/netlist_simulate.h"

#include <string.h>

void net_simulation_init (net_simulation *s, const netlist *n) {
  *s = (net_simulation){.circuit = n};
  vec_reserve (&s->values, n->graph.nodes.count);
  vec_reserve (&s->next, n->latches.count);
  s->values.count = n->graph.nodes.count;
  s->next.count = n->latches.count;
  memset (s->values.data, 0, sizeof *s->values.data * s->values.count);
}

void net_simulation_release (net_simulation *s) {
  vec_release (&s->values);
  vec_release (&s->next);
}

static uint64_t *node_values (net_simulation *s, aig_lit x) { return &s->values.data[x.i / 2]; }

void net_set_latch (net_simulation *s, uint32_t latch, uint64_t value) {
  *node_values (s, s->circuit->latches.data[latch].now) = value;
}

void net_set_input (net_simulation *s, uint32_t input, uint64_t value) {
  *node_values (s, s->circuit->inputs.data[input].now) = value;
}

void net_reset_latches (net_simulation *s, rng *r) {
  for (uint32_t k = 0; k < s->circuit->latches.count; k++) {
    net_reset reset = s->circuit->latches.data[k].reset;
    net_set_latch (s, k, reset == NET_ANY ? rng_next (r) : reset == NET_ONE ? UINT64_MAX : 0);
  }
}

void net_random_inputs (net_simulation *s, rng *r) {
  for (uint32_t k = 0; k < s->circuit->inputs.count; k++) net_set_input (s, k, rng_next (r));
}

void net_evaluate (net_simulation *s) {
  const aig *g = &s->circuit->graph;
  const aig_node *nodes = g->nodes.data;
  uint64_t *values = s->values.data;
  for (uint32_t i = 1; i < s->values.count; i++)
    if (!aig_is_input (g, i)) values[i] = net_signed (values, nodes[i].left) & net_signed (values, nodes[i].right);
}

void net_step (net_simulation *s) {
  const netlist *n = s->circuit;
  for (uint32_t k = 0; k < n->latches.count; k++) s->next.data[k] = net_value (s, n->latches.data[k].next);
  for (uint32_t k = 0; k < n->latches.count; k++) net_set_latch (s, k, s->next.data[k]);
}

uint64_t net_constraints_hold (const net_simulation *s) {
  uint64_t hold = UINT64_MAX;
  for (uint32_t k = 0; k < s->circuit->constraints.count; k++)
    hold &= net_value (s, s->circuit->constraints.data[k].holds);
  return hold;
}

// ---- paths ------------------------------------------------------------------------------------------

static uint64_t all_lanes (uint8_t bit) { return bit ? UINT64_MAX : 0; }

bool net_path_fits (const netlist *n, const net_path *p) {
  return p->length && p->start.count == n->latches.count && p->inputs.count == (uint64_t) p->length * n->inputs.count &&
         (p->loop == NET_NO_LOOP || p->loop < p->length);
}

void net_path_start (net_simulation *s, const net_path *p) {
  for (uint32_t k = 0; k < p->start.count; k++) net_set_latch (s, k, all_lanes (p->start.data[k]));
}

void net_path_inputs (net_simulation *s, const net_path *p, uint32_t step) {
  uint32_t count = s->circuit->inputs.count;
  for (uint32_t k = 0; k < count; k++) net_set_input (s, k, all_lanes (p->inputs.data[(size_t) step * count + k]));
  net_evaluate (s);
}

static bool starts_as_reset (const netlist *n, const net_path *p) {
  for (uint32_t k = 0; k < n->latches.count; k++) {
    net_reset reset = n->latches.data[k].reset;
    if (reset != NET_ANY && !p->start.data[k] != (reset == NET_ZERO)) return false;
  }
  return true;
}

bool net_path_shows (const netlist *n, uint32_t bad, const net_path *p) {
  if (!net_path_fits (n, p) || bad >= n->bads.count || !starts_as_reset (n, p)) return false;
  net_simulation s;
  net_simulation_init (&s, n);
  net_path_start (&s, p);
  bool shows = true, holds = false;
  for (uint32_t step = 0; step < p->length && shows; step++) {
    net_path_inputs (&s, p, step);
    shows = net_constraints_hold (&s);
    holds = net_value (&s, n->bads.data[bad].holds);
    net_step (&s);
  }
  net_simulation_release (&s);
  return shows && holds;
}

// ---- lassos -----------------------------------------------------------------------------------------

typedef struct loop_check {
  net_simulation s;
  VEC (uint8_t) at_loop;    // by latch: the state at the beginning of the loop
  VEC (uint8_t) satisfied;  // by condition: those of the property, then fairness conditions
} loop_check;

static void save_loop_state (loop_check *c) {
  const netlist *n = c->s.circuit;
  for (uint32_t k = 0; k < n->latches.count; k++)
    vec_push (&c->at_loop, net_value (&c->s, n->latches.data[k].now) != 0);
}

static bool is_saved_state (const loop_check *c) {
  const netlist *n = c->s.circuit;
  for (uint32_t k = 0; k < n->latches.count; k++)
    if ((net_value (&c->s, n->latches.data[k].now) != 0) != c->at_loop.data[k]) return false;
  return true;
}

static void note_conditions (loop_check *c, const net_justice *j) {
  const netlist *n = c->s.circuit;
  for (uint32_t k = 0; k < c->satisfied.count; k++) {
    uint32_t own = j->conditions.count;
    aig_lit condition = k < own ? j->conditions.data[k] : n->fairness.data[k - own].holds;
    if (net_value (&c->s, condition)) c->satisfied.data[k] = true;
  }
}

static bool all_satisfied (const loop_check *c) {
  for (uint32_t k = 0; k < c->satisfied.count; k++)
    if (!c->satisfied.data[k]) return false;
  return true;
}

bool net_path_shows_justice (const netlist *n, uint32_t justice, const net_path *p) {
  if (!net_path_fits (n, p) || p->loop == NET_NO_LOOP || justice >= n->justice.count || !starts_as_reset (n, p))
    return false;
  const net_justice *j = &n->justice.data[justice];
  loop_check c = {0};
  net_simulation_init (&c.s, n);
  for (uint32_t k = 0; k < j->conditions.count + n->fairness.count; k++) vec_push (&c.satisfied, false);
  net_path_start (&c.s, p);
  bool shows = true;
  for (uint32_t step = 0; step < p->length && shows; step++) {
    if (step == p->loop) save_loop_state (&c);
    net_path_inputs (&c.s, p, step);
    shows = net_constraints_hold (&c.s);
    if (step >= p->loop) note_conditions (&c, j);
    net_step (&c.s);
  }
  shows = shows && is_saved_state (&c) && all_satisfied (&c);
  net_simulation_release (&c.s);
  vec_release (&c.at_loop);
  vec_release (&c.satisfied);
  return shows;
}
