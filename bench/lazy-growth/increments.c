// Two threads increment a counter N times each, without a lock: some are lost.  With LOCKED none is.
#include <assert.h>
#include <pthread.h>

unsigned count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *increment (void *unused)
{
  for (int i = 0; i < N; i++) {
#ifdef LOCKED
    pthread_mutex_lock (&m);
    count++;
    pthread_mutex_unlock (&m);
#else
    count++;
#endif
  }
  return unused;
}

int main (void)
{
  pthread_t a, b;
  pthread_create (&a, 0, increment, 0);
  pthread_create (&b, 0, increment, 0);
  pthread_join (a, 0);
  pthread_join (b, 0);
  assert (count == 2 * N);
  return 0;
}
