// As ring.c.
#include "threads.pml"

bool lock[N];
OWNED int data[N];

proctype worker (byte me)
{
  byte outer = (me == N - 1 -> 0 : me), inner = (me == N - 1 -> me : me + 1);
  int value;
  LOCK (lock[outer]);
  value = data[outer];
  d_step { data[outer] = value + 1; value = 0 };
  LOCK (lock[inner]);
  value = data[inner];
  d_step { data[inner] = value + 1; value = 0 };
  UNLOCK (lock[inner]);
  d_step { UNLOCK (lock[outer]); ended[me] = true };
end:
  false
}

inline look_at_results ()
{
  for (i : 0 .. N - 1) { assert (data[i] == 2) }
}

init { byte i; create_all (); join_all (); end: false }
