// Path and loop balancing (paper LAZY, 7: PB): idle points make joining paths equally long, and give loops lengths with
// a common divisor. Then few points can be reached at one depth.
#ifndef LOCKSTEP_BALANCE_H
#define LOCKSTEP_BALANCE_H

#include "efsm/efsm.h"

uint32_t efsm_balance (efsm *);  // called after efsm_add_syncs; returns the number of idle points
#endif
