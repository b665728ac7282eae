// Plain circuits, for checkers that do not support all of AIGER 1.9.  ABC starts a latch without reset value as 0,
// requires a circuit without constraints, and rejects a circuit without latches.  A plain circuit has at least one
// latch and no constraints, all its latches start as 0, and its bad states and justice properties, in the same order,
// have the same answers as those of the original.
#ifndef LOCKSTEP_PLAIN_H
#define LOCKSTEP_PLAIN_H

#include "netlist/netlist.h"

// Initialises `plain`.  Its inputs: those of the original, then one for each latch without reset value, which is its
// value at step 0.  Its latches: those of the original, then helper latches.
void netlist_make_plain (netlist *plain, const netlist *original);
// Translates a path of the plain circuit to a path of the original.
void net_path_from_plain (const netlist *original, const netlist *plain, const net_path *, net_path *of_original);

#endif
