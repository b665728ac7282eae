// Loops that may wait for another thread by looking again and again.
#ifndef LOCKSTEP_LOCKS_BUSY_H
#define LOCKSTEP_LOCKS_BUSY_H

#include "engine/locks/analysis.h"

// A branch in a loop, whose condition depends on what the loop reads from memory that others may write while it runs; IR_NONE: there
// is none, so no thread can wait for ever but by operations that wait.
ir_edge find_busy_waiting (lock_analysis *);

#endif
