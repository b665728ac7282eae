// Constants along the ways of each thread: what a thread's own variables are known to be where a point begins is put into the point, and exits that cannot be taken
// go (conditional constant propagation, Wegman and Zadeck 1991).
#ifndef LOCKSTEP_PROPAGATE_H
#define LOCKSTEP_PROPAGATE_H

#include "efsm/efsm.h"

// Of what is shared only this is followed, wherever it is written: which threads are started at all, and what they are given.
void efsm_propagate (efsm *);  // before efsm_add_syncs
bool *efsm_reached (efsm *);  // by point: there may be a way to it; NULL: too many points to tell.  To be freed
#endif
