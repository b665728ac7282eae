// Path and loop balancing (paper LAZY, 7: PB): idle points, so that paths that meet again are equally long, and loops have lengths with a common
// divisor.  Then few points can be reached at one depth.
#ifndef LOCKSTEP_BALANCE_H
#define LOCKSTEP_BALANCE_H

#include "efsm/efsm.h"

uint32_t efsm_balance (efsm *);  // after efsm_add_syncs; the number of idle points
#endif
