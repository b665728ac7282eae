// A wait that has timed out before the signal came is not the same as one that the signal ended, although both leave the mutex held.  `telling`
// signals only somebody who waits or has waited, so `told` is seen after a timeout only if that came before the signal.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
atomic_int told;
int waits;

void *waiting (void *unused)
{
  (void) unused;
  struct timespec soon = {0, 0};
  pthread_mutex_lock (&m);
  waits = 1;
  int error = pthread_cond_timedwait (&c, &m, &soon);
  int seen = atomic_load (&told);
  assert (!(error == ETIMEDOUT && seen));
  pthread_mutex_unlock (&m);
  return NULL;
}

void *telling (void *unused)
{
  (void) unused;
  pthread_mutex_lock (&m);
  int now = waits;
  pthread_mutex_unlock (&m);
  if (!now) return NULL;
  pthread_cond_signal (&c);
  atomic_store (&told, 1);
  return NULL;
}

int main (void)
{
  pthread_t one, two;
  pthread_create (&one, NULL, waiting, NULL);
  pthread_create (&two, NULL, telling, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  return 0;
}
