// Executing a circuit: 64 executions at once, bit k of every word belonging to execution k; and whether a path shows what it is said to show.
//
//   net_simulation s;
//   net_simulation_init (&s, &n);
//   net_reset_latches (&s, &random);                                  // as the resets say
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
void net_reset_latches (net_simulation *, rng *);              // those without reset value get random bits
void net_random_inputs (net_simulation *, rng *);
void net_evaluate (net_simulation *);
void net_step (net_simulation *);
// Of latches and inputs as set, of ands as last evaluated.  Signs are as good as random: a branch would cost more than the rest.
static inline uint64_t net_signed (const uint64_t *values, aig_lit x) { return values[x.i / 2] ^ (0 - (uint64_t) (x.i & 1)); }
static inline uint64_t net_value (const net_simulation *s, aig_lit x) { return net_signed (s->values.data, x); }
uint64_t net_constraints_hold (const net_simulation *);        // the executions in which all of them do

// A path, in all 64 executions alike.
bool net_path_fits (const netlist *, const net_path *);                                   // its numbers of latches, inputs and steps
void net_path_start (net_simulation *, const net_path *);                                 // latches at step 0
void net_path_inputs (net_simulation *, const net_path *, uint32_t step);                 // and evaluates

// The path starts as the resets say, keeps the constraints at each step, and the bad state holds at its last one.
bool net_path_shows (const netlist *, uint32_t bad, const net_path *);
// It starts so, keeps the constraints, its end is the state at `loop`, and from there on each condition of the justice property and each
// fairness condition holds at some step.
bool net_path_shows_justice (const netlist *, uint32_t justice, const net_path *);

#endif
