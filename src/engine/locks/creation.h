// What the creators of threads hold, and for how long: a lock held from before a thread is created until after it was joined
// protects that thread as well, from everybody but its creator; and who took a lock after its creation comes after whoever has
// held it since then.
#ifndef LOCKSTEP_LOCKS_CREATION_H
#define LOCKSTEP_LOCKS_CREATION_H

#include "engine/locks/guard.h"

typedef struct cover { uint32_t holder, use; } cover;  // a kind of thread (with one thread only), a lock it holds all the time

typedef struct creations {
  lock_analysis *analysis;
  struct { VEC (cover) covers; uint32_t acquired; } *kinds;  // [kind]; acquired: idset of lock_use, taken by its parent, since that started, whenever it is created
} creations;

void creations_init (creations *, lock_analysis *, guards *);
void creations_release (creations *);

// Threads of these kinds cannot be in states with these guards at once.
bool creations_exclude (const creations *, uint32_t kind, const guard *, uint32_t other_kind, const guard *other);

#endif
