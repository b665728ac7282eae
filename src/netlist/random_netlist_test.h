// Random circuits for tests, and correct answers about small circuits by enumeration of every state with every input.
// Shares no code with the simulator.
#ifndef LOCKSTEP_NETLIST_RANDOM_TEST_H
#define LOCKSTEP_NETLIST_RANDOM_TEST_H

#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "base/test.h"
#include "netlist/netlist.h"

typedef struct random_shape { unsigned inputs, latches, ands, bads, constraints, justice, fairness; } random_shape;

// Small enough for the enumeration below.
static inline random_shape random_small_shape (rng *r) {
  return (random_shape){.inputs = rng_below (r, 4), .latches = 1 + rng_below (r, 6), .ands = rng_below (r, 25),
                        .bads = 1 + rng_below (r, 3),
                        .constraints = rng_below (r, 3) == 0 ? 1 + rng_below (r, 2) : 0};
}

// Returns a literal of any node, more often of one of the newest.
static inline aig_lit random_literal (const netlist *n, rng *r) {
  uint32_t count = n->graph.nodes.count, node = rng_below (r, count);
  if (rng_below (r, 2)) node = count - 1 - node % (count < 8 ? count : 8);
  return (aig_lit){2 * node + rng_below (r, 2)};
}

static inline void random_netlist (netlist *n, rng *r, random_shape shape) {
  char name[32];
  netlist_init (n);
  unsigned inputs = shape.inputs, latches = shape.latches;
  while (inputs + latches) {  // in any order
    bool latch = rng_below (r, inputs + latches) < latches;
    snprintf (name, sizeof name, "%s %u", latch ? "latch" : "input", latch ? latches-- : inputs--);
    const char *some_name = rng_below (r, 4) ? name : NULL;
    if (latch) netlist_add_latch (n, rng_below (r, 4) ? rng_below (r, 2) : NET_ANY, some_name);
    else netlist_add_input (n, some_name);
    if (rng_below (r, 3) == 0) aig_and (&n->graph, random_literal (n, r), random_literal (n, r));
  }
  for (unsigned k = 0; k < shape.ands; k++)
    if (rng_below (r, 3)) aig_and (&n->graph, random_literal (n, r), random_literal (n, r));
    else aig_xor (&n->graph, random_literal (n, r), random_literal (n, r));
  for (unsigned k = 0; k < shape.latches; k++) netlist_set_next (n, k, random_literal (n, r));
  for (unsigned k = 0; k < shape.bads; k++)
    netlist_add_bad (n, aig_and (&n->graph, random_literal (n, r),
                                 aig_and (&n->graph, random_literal (n, r), random_literal (n, r))), "bad");
  for (unsigned k = 0; k < shape.constraints; k++)
    netlist_add_constraint (n, aig_or (&n->graph, random_literal (n, r),
                                       aig_or (&n->graph, random_literal (n, r), random_literal (n, r))), NULL);
  for (unsigned k = 0; k < shape.fairness; k++) netlist_add_fairness (n, random_literal (n, r), "fair");
  for (unsigned k = 0; k < shape.justice; k++) {
    net_justice *j = netlist_add_justice (n, "just");
    for (unsigned i = rng_below (r, 3); i-- > 0;) vec_push (&j->conditions, random_literal (n, r));
  }
}

// ---- enumeration: a state is a number, bit k latch k; so are the inputs -----------------------------
enum { NAIVE_STATES = 64, NAIVE_INPUTS = 8, NAIVE_NODES = 512, NAIVE_NEVER = 255 };

typedef struct naive {
  uint8_t distance[NAIVE_STATES];   // steps from a reset state, NAIVE_NEVER: not reached
  uint64_t follows[NAIVE_STATES];   // bit s: state s is a successor, for an input under which the constraints hold
} naive;

static inline void naive_evaluate (const netlist *n, unsigned state, unsigned inputs, bool value[NAIVE_NODES]) {
  assert_true (n->graph.nodes.count <= NAIVE_NODES && n->latches.count <= 6 && n->inputs.count <= 3);
  value[0] = false;
  for (uint32_t i = 1; i < n->graph.nodes.count; i++) {
    aig_node x = n->graph.nodes.data[i];
    if (!aig_is_input (&n->graph, i))
      value[i] = (value[x.left.i / 2] ^ (x.left.i & 1)) & (value[x.right.i / 2] ^ (x.right.i & 1));
    else {
      uint64_t what = *map_find (&n->of_node, i);
      value[i] = (what & 1 ? state : inputs) >> (what / 2) & 1;
    }
  }
}

static inline bool naive_literal (const bool *value, aig_lit x) { return value[x.i / 2] ^ (x.i & 1); }

static inline bool naive_allowed (const netlist *n, const bool *value) {
  for (uint32_t k = 0; k < n->constraints.count; k++)
    if (!naive_literal (value, n->constraints.data[k].holds)) return false;
  return true;
}

static inline unsigned naive_next (const netlist *n, const bool *value) {
  unsigned next = 0;
  for (uint32_t k = 0; k < n->latches.count; k++)
    next |= (unsigned) naive_literal (value, n->latches.data[k].next) << k;
  return next;
}

static inline bool naive_is_reset (const netlist *n, unsigned state) {
  for (uint32_t k = 0; k < n->latches.count; k++) {
    net_reset reset = n->latches.data[k].reset;
    if (reset != NET_ANY && (state >> k & 1) != (reset == NET_ONE)) return false;
  }
  return true;
}

static inline unsigned naive_num_states (const netlist *n) { return 1u << n->latches.count; }
static inline unsigned naive_num_inputs (const netlist *n) { return 1u << n->inputs.count; }

static inline void naive_explore (const netlist *n, naive *w) {
  bool value[NAIVE_NODES];
  memset (w, 0, sizeof *w);
  for (unsigned s = 0; s < naive_num_states (n); s++) {
    w->distance[s] = naive_is_reset (n, s) ? 0 : NAIVE_NEVER;
    for (unsigned i = 0; i < naive_num_inputs (n); i++) {
      naive_evaluate (n, s, i, value);
      if (naive_allowed (n, value)) w->follows[s] |= 1ull << naive_next (n, value);
    }
  }
  for (unsigned round = 0; round < NAIVE_STATES; round++)
    for (unsigned s = 0; s < naive_num_states (n); s++)
      for (unsigned t = 0; w->distance[s] == round && t < naive_num_states (n); t++)
        if ((w->follows[s] >> t & 1) && w->distance[t] == NAIVE_NEVER) w->distance[t] = (uint8_t) (round + 1);
}

// Does the literal hold, with the constraints, in this state under some input?
static inline bool naive_possible (const netlist *n, unsigned state, aig_lit x) {
  bool value[NAIVE_NODES];
  for (unsigned i = 0; i < naive_num_inputs (n); i++) {
    naive_evaluate (n, state, i, value);
    if (naive_allowed (n, value) && naive_literal (value, x)) return true;
  }
  return false;
}

// Returns the length of the shortest path to the bad state, or 0 if there is none.
static inline unsigned naive_shortest (const netlist *n, const naive *w, aig_lit bad) {
  unsigned best = NAIVE_NEVER;
  for (unsigned s = 0; s < naive_num_states (n); s++)
    if (w->distance[s] < best && naive_possible (n, s, bad)) best = w->distance[s];
  return best == NAIVE_NEVER ? 0 : best + 1;
}

// Does the condition hold on a step from one of these states to one of them?
static inline bool naive_on_step (const netlist *n, uint64_t states, aig_lit condition) {
  bool value[NAIVE_NODES];
  for (unsigned s = 0; s < naive_num_states (n); s++)
    for (unsigned i = 0; (states >> s & 1) && i < naive_num_inputs (n); i++) {
      naive_evaluate (n, s, i, value);
      if (naive_allowed (n, value) && (states >> naive_next (n, value) & 1) && naive_literal (value, condition))
        return true;
    }
  return false;
}

static inline bool naive_all_on_steps (const netlist *n, uint64_t states, const net_justice *j) {
  for (uint32_t k = 0; k < j->conditions.count; k++)
    if (!naive_on_step (n, states, j->conditions.data[k])) return false;
  for (uint32_t k = 0; k < n->fairness.count; k++)
    if (!naive_on_step (n, states, n->fairness.data[k].holds)) return false;
  return true;
}

// Is there a reachable cycle on which every condition holds somewhere?
static inline bool naive_justice_violated (const netlist *n, const naive *w, const net_justice *j) {
  uint64_t reach[NAIVE_STATES];
  memcpy (reach, w->follows, sizeof reach);
  for (unsigned via = 0; via < NAIVE_STATES; via++)
    for (unsigned s = 0; s < NAIVE_STATES; s++)
      if (reach[s] >> via & 1) reach[s] |= reach[via];
  for (unsigned s = 0; s < naive_num_states (n); s++) {
    if (w->distance[s] == NAIVE_NEVER || !(reach[s] >> s & 1)) continue;
    uint64_t component = 0;
    for (unsigned t = 0; t < naive_num_states (n); t++)
      if ((reach[s] >> t & 1) && (reach[t] >> s & 1)) component |= 1ull << t;
    if (naive_all_on_steps (n, component, j)) return true;
  }
  return false;
}

#endif
