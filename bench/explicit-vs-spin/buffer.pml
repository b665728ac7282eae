// As buffer.c.  A condition variable is a bit per waiting thread: waiting releases the lock in one transition,
// waking up and acquiring it again is another; a signal wakes any one of the waiting threads.
#ifndef SIZE
#define SIZE 3
#endif
#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#define VALUES 2
#define THREADS (PRODUCERS + CONSUMERS)

int cells[SIZE], first, used;
int lock;
bool waiting[THREADS];   // producers wait for not_full, consumers for not_empty

proctype producer (int me)
{
  int value, f, u;
  do
  :: d_step { lock == 0 -> lock = me + 1 };
     do
     :: used != SIZE -> break
     :: used == SIZE ->
        d_step { lock = 0; waiting[me] = true };
        d_step { !waiting[me] && lock == 0 -> lock = me + 1 }
     od;
     f = first;
     u = used;
     d_step { cells[(f + u) % SIZE] = value; f = 0; u = 0 };
     u = used;
     d_step { used = u + 1; u = 0 };
     if
     :: d_step { waiting[PRODUCERS] -> waiting[PRODUCERS] = false }
#if CONSUMERS > 1
     :: d_step { waiting[PRODUCERS + 1] -> waiting[PRODUCERS + 1] = false }
#endif
     :: !waiting[PRODUCERS] && (CONSUMERS == 1 || !waiting[PRODUCERS + CONSUMERS - 1])
     fi;
     d_step { lock = 0; value = (value + 1) % VALUES }
  od
}

proctype consumer (int me)
{
  int f, u;
  do
  :: d_step { lock == 0 -> lock = me + 1 };
     do
     :: used != 0 -> break
     :: used == 0 ->
        d_step { lock = 0; waiting[me] = true };
        d_step { !waiting[me] && lock == 0 -> lock = me + 1 }
     od;
     f = first;
     d_step { assert (cells[f] < VALUES); f = 0 };
     f = first;
     d_step { first = (f + 1) % SIZE; f = 0 };
     u = used;
     d_step { used = u - 1; u = 0 };
     if
     :: d_step { waiting[0] -> waiting[0] = false }
#if PRODUCERS > 1
     :: d_step { waiting[1] -> waiting[1] = false }
#endif
     :: !waiting[0] && (PRODUCERS == 1 || !waiting[PRODUCERS - 1])
     fi;
     lock = 0
  od
}

init
{
  run producer (0);
#if PRODUCERS > 1
  run producer (1);
#endif
  run consumer (PRODUCERS);
#if CONSUMERS > 1
  run consumer (PRODUCERS + 1);
#endif
  _nr_pr == 1
}
