// A smaller circuit with the same answers: only what can influence what is asked for, without latches that are constant, and with one of several latches that
// are always equal or always opposite.
//
//   net_reduction r;
//   net_reduce (&r, &n, &(net_goals){.bads = &bad, .num_bads = 1}, &options);      // r.circuit's bad state 0 is the one asked for
//   ... a path p of r.circuit ...
//   if (net_reduction_lift (&r, &n, &p, &path)) CHECK (net_path_shows (&n, bad, &path), "...");
//   net_reduction_release (&r);
#ifndef LOCKSTEP_REDUCE_H
#define LOCKSTEP_REDUCE_H

#include "base/budget.h"
#include "netlist/netlist.h"

// Bad states and justice properties, which the smaller circuit has in this order.  Constraints always count, fairness if there is a justice property.
typedef struct net_goals {
  const uint32_t *bads, *justice;   // numbers of the original's
  uint32_t num_bads, num_justice;
} net_goals;

typedef struct net_reduce_options {
  const budget *budget;
  uint64_t conflicts;          // for one question whether two latches stay equal; 0: such latches are not looked for
  uint32_t max_ands;           // they are not looked for in larger circuits, either; 0: no limit
  uint64_t seed;
} net_reduce_options;

typedef struct net_size { uint32_t inputs, latches, ands; } net_size;

typedef struct net_reduction {
  netlist circuit;             // the smaller one
  VEC (uint32_t) inputs;       // by input of it: that of the original
  VEC (uint32_t) latches;      // by latch of it: that of the original
  VEC (aig_lit) same;          // by latch of the original: a literal of the original's graph with its value in all reachable states, a constant or of a latch; or itself
  net_size before, after;
  uint32_t constants, equals;  // latches that went for this reason
  uint64_t sat_calls;
} net_reduction;

net_size netlist_size (const netlist *);
void net_reduce (net_reduction *, const netlist *, const net_goals *, const net_reduce_options *);
void net_reduction_release (net_reduction *);

// A path of the smaller circuit as one of the original.  False, with nothing to release: a lasso that does not close in the original within a million steps, since
// latches nobody asked about are still counting.
bool net_reduction_lift (const net_reduction *, const netlist *original, const net_path *, net_path *of_original);

#endif
