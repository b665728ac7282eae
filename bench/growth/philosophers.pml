// As philosophers.c.
#include "threads.pml"

bool fork_of[N];

proctype worker (byte me)
{
#ifdef POLITE
  byte first = (me == N - 1 -> 0 : me), second = (me == N - 1 -> me : me + 1);
#else
  byte first = me, second = (me + 1) % N;
#endif
  do
  :: LOCK (fork_of[first]);
     LOCK (fork_of[second]);
     UNLOCK (fork_of[second]);
     UNLOCK (fork_of[first])
  od
}

inline look_at_results () { skip }

init { byte i; create_all (); join_all (); end: false }
