// Which threads must be explored in a state: conditional stubborn sets (CIRC figure 3) over what each thread touches now and
// what the others may touch later.
#ifndef LOCKSTEP_EXPLICIT_STUBBORN_H
#define LOCKSTEP_EXPLICIT_STUBBORN_H

#include "engine/explicit/future.h"

// One state, seen by the choice: its running threads.
typedef struct thread_view {
  uint32_t slot;
  bool enabled;
  bool known;                  // the next two are filled in
  touch_set now;               // of its next step, or of its next transaction
  lock_set held;
  const future *later;
} thread_view;

typedef struct state_view {
  world *w;
  futures *futures;
  uint32_t num_threads, num_enabled;
  bool forced;                 // an atomic region is being executed: nobody else may step
  bool entangled;              // somebody is blocked inside an atomic region: who sets it free stops all others
  bool has_alive;
  lock_set alive[IR_MAX_THREADS];  // by slot: what it holds against those who join it
  thread_view threads[IR_MAX_THREADS];
  uint8_t meet[IR_MAX_THREADS][IR_MAX_THREADS];  // whether what one touches now meets the other's future: a meet_fact
} state_view;

typedef enum meet_fact { MEET_UNKNOWN, MEET_YES, MEET_NO } meet_fact;

typedef struct thread_choice { uint32_t count; uint32_t index[IR_MAX_THREADS]; } thread_choice;  // in view->threads, ascending

void stubborn_look (state_view *, world *, futures *);     // the world must be committed
void stubborn_release (state_view *);
void stubborn_forget (state_view *, uint32_t index);             // what the thread touches now has been changed
lock_set stubborn_held (state_view *, uint32_t index);           // the locks it holds now against others
lock_set stubborn_alive (state_view *, uint32_t index);          // what it holds against those who join it
// The index of a thread that may go alone, IR_NONE: there is none.
uint32_t stubborn_alone (state_view *);
// May this thread, which has moved since (the world is not committed), go on alone?
bool stubborn_still_alone (state_view *, uint32_t index);
// Is what the thread touches now out of everybody's reach while it holds these locks?
bool stubborn_unreachable (state_view *, uint32_t index, lock_set held);
void stubborn_from (state_view *, uint32_t index, thread_choice *);  // the enabled threads of the closed set that starts with this one
void stubborn_smallest (state_view *, thread_choice *);          // the smallest closed set of enabled threads

#endif
