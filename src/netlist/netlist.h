// Sequential circuits: an and-inverter graph whose inputs are the inputs and latches of the circuit, with the
// properties of AIGER 1.9 (bad states, invariant constraints, justice, fairness).  Paper CIRC translates programs to
// this form, which any hardware model checker can read.
//
//   netlist n;
//   netlist_init (&n);
//   aig_lit tick = netlist_add_input (&n, "tick"), on = netlist_add_latch (&n, NET_ZERO, "on");
//   netlist_set_next (&n, 0, aig_xor (&n.graph, on, tick));
//   netlist_add_bad (&n, aig_and (&n.graph, on, tick), "switched off");
//   netlist_release (&n);
//
// A path is x0 i0 x1 i1 ...: x0 are the reset values of the latches, x(t+1) are their next values at x(t), i(t).  Every
// constraint must hold at each (x(t), i(t)) of a path.  A bad state is violated by a path at whose last step it holds.
// A justice property is violated by an infinite path on which each of its conditions and each fairness condition holds
// infinitely often.
#ifndef LOCKSTEP_NETLIST_H
#define LOCKSTEP_NETLIST_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "encode/aig.h"

typedef enum net_reset { NET_ZERO, NET_ONE, NET_ANY } net_reset;
// `now` is the positive literal of an input of the graph.  Names may be NULL.
typedef struct net_input { aig_lit now; const char *name; } net_input;
typedef struct net_latch { aig_lit now, next; net_reset reset; const char *name; } net_latch;
// A bad state, a constraint, or a fairness condition.
typedef struct net_output { aig_lit holds; const char *name; } net_output;
typedef struct net_justice { VEC (aig_lit) conditions; const char *name; } net_justice;

typedef struct netlist {
  aig graph;
  arena *arena;                // names
  VEC (net_input) inputs;
  VEC (net_latch) latches;
  VEC (net_output) bads, constraints, fairness;
  VEC (net_justice) justice;
  map of_node;                 // input node of the graph -> 2 * number, + 1 for a latch
} netlist;

void netlist_init (netlist *);
void netlist_release (netlist *);
aig_lit netlist_add_input (netlist *, const char *name);                  // copies the name, which may be NULL
// without netlist_set_next, a latch never changes
aig_lit netlist_add_latch (netlist *, net_reset, const char *name);
void netlist_set_next (netlist *, uint32_t latch, aig_lit next);
// Moves an existing graph into the circuit; then each of its inputs must become an input or a latch.
void netlist_take_graph (netlist *, aig *);
void netlist_use_as_input (netlist *, aig_lit input_of_graph, const char *name);
void netlist_use_as_latch (netlist *, aig_lit input_of_graph, net_reset, const char *name);
void netlist_add_bad (netlist *, aig_lit, const char *name);
void netlist_add_constraint (netlist *, aig_lit, const char *name);
void netlist_add_fairness (netlist *, aig_lit, const char *name);
net_justice *netlist_add_justice (netlist *, const char *name);           // the caller pushes the conditions
bool netlist_has_latch_without_reset (const netlist *);

// ---- paths ------------------------------------------------------------------------------------------
// The latches at step 0, and the inputs of steps 0 to length - 1; the property is violated at the last step.  After
// that step a lasso continues at step `loop`.
enum { NET_NO_LOOP = UINT32_MAX };
typedef struct net_path {
  VEC (uint8_t) start;         // by latch
  VEC (uint8_t) inputs;        // [step * number of inputs + input]
  uint32_t length, loop;
} net_path;

void net_path_release (net_path *);

#endif
