// Three threads that are alike: which of them goes first makes no difference as long as nobody looks at which it was.  Main does so with
// -DUSE_RESULTS (the ticket each one drew), -DBETWEEN (a look at the counter after joining only the last one), and a thread itself with
// -DASK_SELF.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

int tickets;
pthread_t first;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *draw (void *unused)
{
  (void) unused;
  pthread_mutex_lock (&m);
  intptr_t mine = ++tickets;
#ifdef ASK_SELF
  if (mine == 1) first = pthread_self ();
#endif
  pthread_mutex_unlock (&m);
  pthread_mutex_lock (&m);
  tickets += 10;
  pthread_mutex_unlock (&m);
#ifdef USE_RESULTS
  return (void *) (mine % 10);
#else
  (void) mine;
  return 0;
#endif
}

int main (void)
{
  pthread_t t[3];
  void *result[3] = {0, 0, 0};
  for (int i = 0; i < 3; i++) pthread_create (&t[i], 0, draw, 0);
#ifdef BETWEEN
  pthread_join (t[2], 0);
  assert (tickets == 33);
  pthread_join (t[0], 0);
  pthread_join (t[1], 0);
#elif defined USE_RESULTS
  for (int i = 0; i < 3; i++) pthread_join (t[i], &result[i]);
  assert (result[0] < result[2]);
#else
  for (int i = 0; i < 3; i++) pthread_join (t[i], 0);
#endif
#ifdef ASK_SELF
  assert (first == t[0]);
#endif
  assert (tickets == 33);
  (void) result;
  return 0;
}
