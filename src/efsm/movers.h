// Transactions from locks (paper LAZY, 7: "we can utilize transactions"; paper TXN for why): no thread needs to run between a lock and its unlock as
// far as what is accessed there is protected by a lock.  Fewer syncs, so fewer passes of the token.
#ifndef LOCKSTEP_MOVERS_H
#define LOCKSTEP_MOVERS_H

#include "efsm/efsm.h"

uint32_t efsm_find_movers (efsm *);  // before efsm_narrow and efsm_add_syncs; how many points need no sync on one side or both
// By point: threads (1 << thread) that it waits for, so that it is not passed while one of them runs.
void efsm_find_joined (efsm *, uint64_t *by_point);

#endif
