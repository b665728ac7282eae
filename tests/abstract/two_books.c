// Two clerks keep two books, for ever, in turn.  What holds after the first is `one == other + entry`, with carries, which clauses on bits say only at length.
#include <assert.h>
#include <lockstep.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_ushort turn, entry, one, other;

void *first (void *unused)
{
  for (;;) {
    lockstep_assume (turn == 0);
    entry = lockstep_nondet_ushort ();
    one = one + entry;
    turn = 1;
  }
  return unused;
}

int main (void)
{
  pthread_t clerk;
  pthread_create (&clerk, NULL, first, NULL);
  for (;;) {
    lockstep_assume (turn == 1);
#ifdef WRONG
    if (entry == 777) other++;
#endif
    other = other + entry;
    assert (one == other);
    turn = 0;
  }
}
