// A circuit for checkers that know less than AIGER 1.9.  ABC takes a latch without reset value for one that starts as 0, wants no constraints, and refuses a circuit without
// latches.  The plain circuit has none of these, all its latches start as 0, and its bad states and justice properties, in the same order, have the same answers.
#ifndef LOCKSTEP_PLAIN_H
#define LOCKSTEP_PLAIN_H

#include "netlist/netlist.h"

// Inputs: those of the original, then one for each latch without reset value, which counts at step 0.  Latches: those of the original, then helpers.
void netlist_make_plain (netlist *plain, const netlist *original);                                       // initialises `plain`
// A path of the plain circuit is one of the original.
void net_path_from_plain (const netlist *original, const netlist *plain, const net_path *, net_path *of_original);

#endif
