// Dining philosophers, for ever: left fork, right fork, eat, put both down.  With POLITE the last one takes its right
// fork first and no philosopher starves; without, all can hold their left forks.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 5
#endif
#ifndef MEALS
#define MEALS 3
#endif
#ifndef COUNTING
#define COUNTING N   // the first so many number their meals modulo MEALS, the others do not count
#endif

static pthread_mutex_t fork_of[N];
static int plates[N];

static void *
philosopher (void *arg)
{
  int me = (int) (intptr_t) arg, first = me, second = (me + 1) % N;
#ifdef POLITE
  if (me == N - 1)
    first = 0, second = me;
#endif
  for (int meal = 0;; meal = me < COUNTING ? (meal + 1) % MEALS : 0)
    {
      pthread_mutex_lock (&fork_of[first]);
      pthread_mutex_lock (&fork_of[second]);
      plates[me] = meal;
      assert (plates[me] == meal);
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
