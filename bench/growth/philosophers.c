// N dining philosophers, for ever: left fork, right fork, put both down.  All can hold their left fork at once: a
// deadlock. With -DPOLITE the last one takes its right fork first, so that there is none.
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t fork_of[N];

static void *
philosopher (void *arg)
{
  int me = (int) (intptr_t) arg, first = me, second = (me + 1) % N;
#ifdef POLITE
  if (me == N - 1)
    first = 0, second = me;
#endif
  while (1)
    {
      pthread_mutex_lock (&fork_of[first]);
      pthread_mutex_lock (&fork_of[second]);
      pthread_mutex_unlock (&fork_of[second]);
      pthread_mutex_unlock (&fork_of[first]);
    }
  return NULL;
}

int
main (void)
{
  pthread_t t[N];
  for (intptr_t i = 0; i < N; i++)
    pthread_create (&t[i], NULL, philosopher, (void *) i);
  for (int i = 0; i < N; i++)
    pthread_join (t[i], NULL);
  return 0;
}
