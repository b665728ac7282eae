// As queue.c.  A condition variable is a bit per waiting thread: waiting releases the lock in one step, waking up and
// acquiring it again is another; a signal wakes any one of the waiting threads.
#include "threads.pml"
#ifndef ITEMS
#define ITEMS 2
#endif
#if N > 16
#error "signal () knows 16 threads"
#endif

bool lock, waiting[N];
byte num_waiting;
OWNED byte produced, taken;
OWNED bool closed;
OWNED int result[ITEMS];

#define WAKE(k) d_step { waiting[k] -> waiting[k] = false; num_waiting-- }

inline signal ()
{
  if
  :: num_waiting == 0
  :: WAKE (0)
  :: WAKE (1)
#if N > 2
  :: WAKE (2)
#endif
#if N > 3
  :: WAKE (3)
#endif
#if N > 4
  :: WAKE (4)
#endif
#if N > 5
  :: WAKE (5)
#endif
#if N > 6
  :: WAKE (6)
#endif
#if N > 7
  :: WAKE (7)
#endif
#if N > 8
  :: WAKE (8)
#endif
#if N > 9
  :: WAKE (9)
#endif
#if N > 10
  :: WAKE (10)
#endif
#if N > 11
  :: WAKE (11)
#endif
#if N > 12
  :: WAKE (12)
#endif
#if N > 13
  :: WAKE (13)
#endif
#if N > 14
  :: WAKE (14)
#endif
#if N > 15
  :: WAKE (15)
#endif
  fi
}

inline broadcast ()
{
  d_step {
    for (i : 0 .. N - 1) { waiting[i] = false };
    i = 0;
    num_waiting = 0
  }
}

proctype worker (byte me)
{
  byte item;
  int value;
  do
  :: LOCK (lock);
     do
     :: item = taken;
        if
        :: atomic { item != produced -> item = 0; break }
        :: d_step { item == produced -> item = 0 }
        fi;
        if
        :: closed -> break
        :: !closed
        fi;
        d_step { UNLOCK (lock); waiting[me] = true; num_waiting++ };
        atomic { !waiting[me] && !lock -> lock = true }
     od;
     item = taken;
     if
     :: item != produced
     :: atomic { item == produced -> item = 0; break }
     fi;
     taken = item + 1;
     UNLOCK (lock);
     value = result[item];
     d_step { result[item] = value + 1; value = 0; item = 0 }
  od;
  atomic { UNLOCK (lock); ended[me] = true };
end:
  false
}

inline look_at_results ()
{
  for (i : 0 .. ITEMS - 1) { assert (result[i] == 1) }
}

init
{
  byte i;
  create_all ();
  do
  :: LOCK (lock);
     produced = i + 1;
     signal ();
     if
     :: d_step { i < ITEMS - 1 -> UNLOCK (lock); i++ }
     :: atomic { i == ITEMS - 1 -> UNLOCK (lock); i = 0; break }
     fi
  od;
  LOCK (lock);
  closed = true;
  broadcast ();
  UNLOCK (lock);
  join_all ();
end:
  false
}
