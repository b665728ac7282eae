// Constants along the paths of each thread: the known values of a thread's own variables at the beginning of a point
// replace the variables in the point, and exits that cannot be taken are removed (conditional constant propagation,
// Wegman and Zadeck 1991).
#ifndef LOCKSTEP_PROPAGATE_H
#define LOCKSTEP_PROPAGATE_H

#include "efsm/efsm.h"

// Of the shared variables only these are tracked, at all writes: whether a thread is ever started, and its argument.
void efsm_propagate (efsm *);  // called before efsm_add_syncs
bool *efsm_reached (efsm *);  // by point: there may be a path to it; NULL: too many points. The caller frees it
#endif
