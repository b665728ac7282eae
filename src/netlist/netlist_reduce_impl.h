// Declarations private to the reduction.  In reading order: netlist_reduce.c, reduce_copy.c, reduce_constant.c,
// reduce_equal.c, reduce_path.c.
#ifndef LOCKSTEP_REDUCE_IMPL_H
#define LOCKSTEP_REDUCE_IMPL_H

#include "netlist/netlist_reduce.h"

typedef VEC (aig_lit) aig_lits;

// By latch, its replacement: a constant, a literal of another latch that is not replaced, or the latch itself.  `count`
// is the number of latches that are replaced.
typedef struct net_substitution { aig_lits by_latch; uint32_t count; } net_substitution;
void net_substitution_init (net_substitution *, const netlist *);  // no latch is replaced
void net_substitution_release (net_substitution *);
void net_substitute (net_substitution *, const netlist *, uint32_t latch, aig_lit);

// A copy `to` of the cone of influence of the goals under a substitution, and the original inputs and latches that it
// contains.
typedef struct net_copy { netlist to; VEC (uint32_t) inputs, latches; } net_copy;
void net_copy_cone (net_copy *, const netlist *from, const net_substitution *, const net_goals *);

void net_find_constants (const netlist *, const budget *, net_substitution *);
// Returns the number of calls of the SAT solver.
uint64_t net_find_equals (const netlist *, const net_reduce_options *, net_substitution *);

#endif
