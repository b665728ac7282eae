// What a thread never reads again is set back to its first value, so that states which differ in nothing that matters are equal: searches through sets of states (IC3, decision diagrams, induction over simple paths) have less to tell apart.
#ifndef LOCKSTEP_FORGET_H
#define LOCKSTEP_FORGET_H

#include "efsm/efsm.h"

void efsm_forget (efsm *);     // before efsm_add_syncs
#endif
