// Whether more than two threads can be in given states at once: LOCK section 6 asks it of every pair, which is not enough.
#ifndef LOCKSTEP_LOCKS_TOGETHER_H
#define LOCKSTEP_LOCKS_TOGETHER_H

#include "engine/locks/guard.h"

// False: certainly not.  The guards are of different threads, and each pair of them may meet.
bool guards_meet_together (const guards *, const uint32_t *numbers, uint32_t count);

#endif
