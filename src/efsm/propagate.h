// Constants along the ways of each thread: what a thread's own variables are known to be where a point begins is put into the point, and exits that cannot be taken
// go (conditional constant propagation, Wegman and Zadeck 1991).
#ifndef LOCKSTEP_PROPAGATE_H
#define LOCKSTEP_PROPAGATE_H

#include "efsm/efsm.h"

void efsm_propagate (efsm *);  // before efsm_add_syncs
#endif
