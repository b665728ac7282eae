// Fewer bits: a variable that only ever holds a few constants (a lock's owner, a pointer, a flag) becomes the index of
// its constant, and bits that never change become constants. The machine behaves as before.
#ifndef LOCKSTEP_NARROW_H
#define LOCKSTEP_NARROW_H

#include "efsm/efsm.h"

void efsm_narrow (efsm *);     // called before efsm_add_syncs
#endif
