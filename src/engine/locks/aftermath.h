// What becomes of a lock that a procedure returns with: whether somebody further out gives it back.
#ifndef LOCKSTEP_LOCKS_AFTERMATH_H
#define LOCKSTEP_LOCKS_AFTERMATH_H

#include "engine/locks/lock_walk.h"

// May a thread that has left the procedure here, with the walk's lock in hand, go on and never give it back?  False as well if that is not clear.
bool lock_is_left_behind (const lock_walk *, uint32_t node);

#endif
