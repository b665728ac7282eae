// Which waiting states can lie on a common cycle, judged by the order in which locks are taken alone.
#ifndef LOCKSTEP_LOCKS_ORDER_H
#define LOCKSTEP_LOCKS_ORDER_H

#include "engine/locks/deadlock.h"

// Fills component[0..states.count[: states that may wait for each other, through others or not, have the same number; ORDER_ACYCLIC: nobody
// that waits for such a state is waited for by it.
#define ORDER_ACYCLIC UINT32_MAX
void order_find (const deadlocks *, uint32_t *component);

#endif
