// Who can still wake whom: from which locations a thread may reach an operation that ends a wait at a condition
// variable, a semaphore or a barrier.  Used to recognise waits that nobody is left to end.
#ifndef LOCKSTEP_WAKERS_H
#define LOCKSTEP_WAKERS_H

#include "ir/sync.h"

enum { WAKES_ALL = IR_WAKES_COND | IR_WAKES_SEM | IR_WAKES_BARRIER };

// [location] -> set of IR_WAKES_*: what a thread there may still do before its procedure returns, itself, through
// calls, or through threads it starts. Ending the process by a call of exit ends all waits. The caller frees it with
// wakers_free.
uint8_t *wakers_new (const ir_program *);
void wakers_free (uint8_t *, const ir_program *);

#endif
