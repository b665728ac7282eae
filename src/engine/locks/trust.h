// Which locks can be believed in: nobody releases what another thread holds, initialises it again, or writes over it.
#ifndef LOCKSTEP_LOCKS_TRUST_H
#define LOCKSTEP_LOCKS_TRUST_H

#include "engine/locks/analysis.h"

void find_trust (lock_analysis *);                       // after find_contexts
bool trust_lock (const lock_analysis *, uint32_t lock);
void trust_not (lock_analysis *, pointsto_target);       // a lock there is not to be trusted
bool trust_makes_lock (const lock_analysis *, ir_edge);  // a write as of data after which a lock may be held, or destroyed, without an operation on it
bool trust_undisturbed (const lock_analysis *, ir_edge);  // when the edge is taken nobody else can reach what its first argument points to

#endif
