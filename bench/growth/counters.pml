// As counters.c.
#include "threads.pml"
#ifndef ROUNDS
#define ROUNDS 2
#endif

OWNED bool lock[N];
OWNED int counter[N];

proctype worker (byte me)
{
  byte round;
  int value;
  do
  :: LOCK (lock[me]);
     value = counter[me];
     d_step { counter[me] = value + 1; value = 0 };
     if
     :: d_step { round < ROUNDS - 1 -> UNLOCK (lock[me]); round++ }
     :: atomic { round == ROUNDS - 1 -> UNLOCK (lock[me]); round = 0; ended[me] = true; break }
     fi
  od;
end:
  false
}

inline look_at_results ()
{
  for (i : 0 .. N - 1) { sum = sum + counter[i] };
  assert (sum == N * ROUNDS)
}

init { byte i; int sum; create_all (); join_all (); end: false }
