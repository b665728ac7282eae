// Transactions from locks (paper LAZY, 7: "we can utilize transactions"; paper TXN for the proof): no other thread
// needs to run between acquiring and releasing a lock, as far as the lock protects the accessed variables. Fewer syncs
// mean fewer passes of the token.
#ifndef LOCKSTEP_MOVERS_H
#define LOCKSTEP_MOVERS_H

#include "efsm/efsm.h"

// called before efsm_narrow and efsm_add_syncs; returns the number of points that need no sync on one side or both
uint32_t efsm_find_movers (efsm *);
// By point: set of threads (1 << thread) that it waits for: the point cannot be passed while one of them runs.
void efsm_find_joined (efsm *, uint64_t *by_point);

#endif
