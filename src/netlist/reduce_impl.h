// What the files of the reduction share.  In reading order: reduce.c, reduce_copy.c, reduce_constant.c, reduce_equal.c, reduce_path.c.
#ifndef LOCKSTEP_REDUCE_IMPL_H
#define LOCKSTEP_REDUCE_IMPL_H

#include "netlist/reduce.h"

typedef VEC (aig_lit) aig_lits;

// By latch, what may stand for it: a constant, or a literal of a latch that stands for itself.
typedef struct net_substitution { aig_lits by_latch; uint32_t count; } net_substitution;   // count: of latches that do not stand for themselves
void net_substitution_init (net_substitution *, const netlist *);                          // each stands for itself
void net_substitution_release (net_substitution *);
void net_substitute (net_substitution *, const netlist *, uint32_t latch, aig_lit);

// Copies what the goals need under the substitution, into `to`, and tells which inputs and latches it has taken.
typedef struct net_copy { netlist to; VEC (uint32_t) inputs, latches; } net_copy;
void net_copy_cone (net_copy *, const netlist *from, const net_substitution *, const net_goals *);

void net_find_constants (const netlist *, const budget *, net_substitution *);
uint64_t net_find_equals (const netlist *, const net_reduce_options *, net_substitution *);   // the number of calls of the SAT solver

#endif
