// Semaphores that a program uses as mutexes: initialised to 1 and nothing else, waited for to take them, posted to give them back.
#ifndef LOCKSTEP_LOCKS_SEMAPHORE_H
#define LOCKSTEP_LOCKS_SEMAPHORE_H

#include "engine/locks/analysis.h"

bool is_semaphore_op (ir_op);
void find_semaphores (lock_analysis *);              // that are only ever initialised to 1
bool semaphore_touched (lock_analysis *, ir_edge);   // it is an operation on what may be one of them
void distrust_semaphores (lock_analysis *);          // those that are written to in other ways

#endif
