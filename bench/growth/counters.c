// N counters behind N locks: thread i increments its own, ROUNDS times; main waits for all and looks at the sum.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

static pthread_mutex_t lock[N];
static int counter[N];

static void *
worker (void *arg)
{
  int me = (int) (intptr_t) arg;
  for (int round = 0; round < ROUNDS; round++)
    {
      pthread_mutex_lock (&lock[me]);
      counter[me]++;
      pthread_mutex_unlock (&lock[me]);
    }
  return NULL;
}

int
main (void)
{
  pthread_t t[N];
  int sum = 0;
  for (intptr_t i = 0; i < N; i++)
    pthread_create (&t[i], NULL, worker, (void *) i);
  for (int i = 0; i < N; i++)
    pthread_join (t[i], NULL);
  for (int i = 0; i < N; i++)
    sum += counter[i];
  assert (sum == N * ROUNDS);
  return 0;
}
