// Simulation: executes a circuit, 64 executions at once, where bit k of every word belongs to execution k; and checks
// whether a path shows a violation.
//
//   net_simulation s;
//   net_simulation_init (&s, &n);
//   net_reset_latches (&s, &random);                                  // to their reset values
//   for (...) {
//     net_random_inputs (&s, &random);
//     net_evaluate (&s);                                              // ands, from latches and inputs
//     use (net_value (&s, n.bads.data[0].holds) & net_constraints_hold (&s));
//     net_step (&s);                                                  // latches take their next values
//   }
//   net_simulation_release (&s);
#ifndef LOCKSTEP_SIMULATE_H
#define LOCKSTEP_SIMULATE_H

#include "base/rng.h"
#include "netlist/netlist.h"

typedef struct net_simulation {
  const netlist *circuit;
  VEC (uint64_t) values;       // by node of the graph
  VEC (uint64_t) next;         // scratch, by latch
} net_simulation;

void net_simulation_init (net_simulation *, const netlist *);
void net_simulation_release (net_simulation *);
void net_set_latch (net_simulation *, uint32_t latch, uint64_t value);
void net_set_input (net_simulation *, uint32_t input, uint64_t value);
void net_reset_latches (net_simulation *, rng *);              // latches without reset value get random bits
void net_random_inputs (net_simulation *, rng *);
void net_evaluate (net_simulation *);
void net_step (net_simulation *);
// The value of a literal: of latches and inputs as they are set, of ands as they were last evaluated.  There is no
// branch on the sign, because signs are as good as random, and mispredicted branches would cost more than everything
// else.
static inline uint64_t net_signed (const uint64_t *values, aig_lit x) {
  return values[x.i / 2] ^ (0 - (uint64_t) (x.i & 1));
}
static inline uint64_t net_value (const net_simulation *s, aig_lit x) { return net_signed (s->values.data, x); }
uint64_t net_constraints_hold (const net_simulation *);        // the executions in which all constraints hold

// Simulating a path, which is the same in all 64 executions.
bool net_path_fits (const netlist *, const net_path *);        // do its numbers of latches, inputs and steps fit?
void net_path_start (net_simulation *, const net_path *);      // sets the latches to those of step 0
void net_path_inputs (net_simulation *, const net_path *, uint32_t step);  // sets the inputs of a step, and evaluates

// Does the path start with the reset values, do the constraints hold at each step, and does the bad state hold at its
// last step?
bool net_path_shows (const netlist *, uint32_t bad, const net_path *);
// Does the path start with the reset values, do the constraints hold at each step, is its end the state at `loop`, and
// do each condition of the justice property and each fairness condition hold at some step from there on?
bool net_path_shows_justice (const netlist *, uint32_t justice, const net_path *);

#endif
