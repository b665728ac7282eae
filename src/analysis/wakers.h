// Wakers: the locations from which a thread may reach an operation that ends a wait at a condition variable, a
// semaphore or a barrier. Used to recognise waits that no remaining thread can end.
#ifndef LOCKSTEP_WAKERS_H
#define LOCKSTEP_WAKERS_H

#include "ir/sync.h"

enum { WAKES_ALL = IR_WAKES_COND | IR_WAKES_SEM | IR_WAKES_BARRIER };

// Returns, by location, a set of IR_WAKES_*: the waits that a thread at the location may still end before its procedure
// returns, itself, through calls, or through threads it starts. Ending the process by a call of exit ends all waits.
// The caller frees the result with wakers_free.
uint8_t *wakers_new (const ir_program *);
void wakers_free (uint8_t *, const ir_program *);

#endif
