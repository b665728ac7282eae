// Reductions: a smaller circuit with the same answers.  It contains only the cone of influence of the requested
// properties, no constant latches, and one of several latches that are always equal or always opposite.
//
//   net_reduction r;
//   net_reduce (&r, &n, &(net_goals){.bads = &bad, .num_bads = 1}, &options);      // bad state 0 of r.circuit is `bad`
//   ... a path p of r.circuit ...
//   if (net_reduction_lift (&r, &n, &p, &path)) CHECK (net_path_shows (&n, bad, &path), "...");
//   net_reduction_release (&r);
#ifndef LOCKSTEP_REDUCE_H
#define LOCKSTEP_REDUCE_H

#include "base/budget.h"
#include "netlist/netlist.h"

// The requested bad states and justice properties, which the smaller circuit has in this order.  The smaller circuit
// keeps all constraints, and the fairness conditions if there is a justice property.
typedef struct net_goals {
  const uint32_t *bads, *justice;   // numbers in the original
  uint32_t num_bads, num_justice;
} net_goals;

typedef struct net_reduce_options {
  const budget *budget;
  uint64_t conflicts;          // limit for one query whether two latches stay equal; 0: do not search for equal latches
  uint32_t max_ands;           // do not search for equal latches in larger circuits; 0: no limit
  uint64_t seed;
} net_reduce_options;

typedef struct net_size { uint32_t inputs, latches, ands; } net_size;

typedef struct net_reduction {
  netlist circuit;             // the smaller circuit
  VEC (uint32_t) inputs;       // by input of the smaller circuit: input of the original
  VEC (uint32_t) latches;      // by latch of the smaller circuit: latch of the original
  // By latch of the original: a literal of its graph with the same value in all reachable states, which is a constant
  // or a literal of a latch, possibly of the same latch.
  VEC (aig_lit) same;
  net_size before, after;
  uint32_t constants, equals;  // numbers of latches that were removed because they are constant, equal to others
  uint64_t sat_calls;
} net_reduction;

net_size netlist_size (const netlist *);
void net_reduce (net_reduction *, const netlist *, const net_goals *, const net_reduce_options *);
void net_reduction_release (net_reduction *);

// Translates a path of the smaller circuit to a path of the original.  False, with nothing to release: a lasso does not
// close in the original within a million steps, because removed latches still change.
bool net_reduction_lift (const net_reduction *, const netlist *original, const net_path *, net_path *of_original);

#endif
