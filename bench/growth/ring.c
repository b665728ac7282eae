// N locks in a ring: thread i works on the data of lock i and, inside, on that of its neighbour.  The lock with the
// smaller number is taken first, so no threads wait in a cycle.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t lock[N];
static int data[N];

static void *
worker (void *arg)
{
  int me = (int) (intptr_t) arg, next = (me + 1) % N;
  int outer = me < next ? me : next, inner = me < next ? next : me;
  pthread_mutex_lock (&lock[outer]);
  data[outer]++;
  pthread_mutex_lock (&lock[inner]);
  data[inner]++;
  pthread_mutex_unlock (&lock[inner]);
  pthread_mutex_unlock (&lock[outer]);
  return NULL;
}

int
main (void)
{
  pthread_t t[N];
  for (intptr_t i = 0; i < N; i++)
    pthread_create (&t[i], NULL, worker, (void *) i);
  for (int i = 0; i < N; i++)
    pthread_join (t[i], NULL);
  for (int i = 0; i < N; i++)
    assert (data[i] == 2);
  return 0;
}
