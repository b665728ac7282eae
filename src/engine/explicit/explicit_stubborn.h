// Chooses the threads that must be explored in a state: conditional stubborn sets (CIRC figure 3) over the next
// footprint of each thread and the futures of the others.
#ifndef LOCKSTEP_EXPLICIT_STUBBORN_H
#define LOCKSTEP_EXPLICIT_STUBBORN_H

#include "engine/explicit/future.h"

// A snapshot of a state for that choice: its running threads.
typedef struct thread_snapshot {
  uint32_t slot;
  bool enabled;
  bool known;                  // `now` and `held` are filled in
  next_footprint now;          // footprint of its next step, or of its next transaction
  lock_set held;
  const thread_future *later;
} thread_snapshot;

typedef struct state_snapshot {
  current_state *w;
  thread_futures *futures;
  uint32_t num_threads, num_enabled;
  bool forced;                 // an atomic region is being executed: no other thread may step
  bool entangled;  // a thread is blocked inside an atomic region: the thread that unblocks it stops all others
  bool has_alive;
  lock_set alive[IR_MAX_THREADS];  // by slot: the bits with which it delays threads that join it
  thread_snapshot threads[IR_MAX_THREADS];
  // whether the next footprint of one conflicts with the future of the other: a conflict_fact
  uint8_t conflicts[IR_MAX_THREADS][IR_MAX_THREADS];
} state_snapshot;

typedef enum conflict_fact { CONFLICT_UNKNOWN, CONFLICT_YES, CONFLICT_NO } conflict_fact;

// indices in snapshot->threads, ascending
typedef struct thread_choice { uint32_t count; uint32_t index[IR_MAX_THREADS]; } thread_choice;

void stubborn_take_snapshot (state_snapshot *, current_state *, thread_futures *);     // the state must be committed
void stubborn_release (state_snapshot *);
// The thread's next footprint has been changed
void stubborn_forget_conflicts (state_snapshot *, uint32_t index);
lock_set stubborn_held (state_snapshot *, uint32_t index);           // the locks it holds now that exclude others
// The bits with which it delays threads that join it
lock_set stubborn_alive (state_snapshot *, uint32_t index);
// Returns the index of a thread whose next step is independent of all others; IR_NONE: there is none.
uint32_t stubborn_independent (state_snapshot *);
// Returns whether this thread, which has moved since the snapshot (the state is not committed), may take another step
// alone.
bool stubborn_still_independent (state_snapshot *, uint32_t index);
// Returns whether no other thread can interfere with the next footprint of this thread while it holds these locks.
bool stubborn_unreachable (state_snapshot *, uint32_t index, lock_set held);
// The enabled threads of the closed set that starts with this thread
void stubborn_from (state_snapshot *, uint32_t index, thread_choice *);
void stubborn_smallest (state_snapshot *, thread_choice *);          // the smallest closed set of enabled threads

#endif
