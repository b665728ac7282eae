// Resets a variable that a thread never reads again to its initial value, so that states which differ only in dead
// variables are equal: searches through sets of states (IC3, decision diagrams, induction over simple paths) have fewer
// states to distinguish.
#ifndef LOCKSTEP_FORGET_H
#define LOCKSTEP_FORGET_H

#include "efsm/efsm.h"

void efsm_forget (efsm *);     // called before efsm_add_syncs
#endif
