// N threads increment a counter under a lock.
#include <assert.h>
#include <pthread.h>

unsigned count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *increment (void *unused)
{
  pthread_mutex_lock (&m);
  count++;
  pthread_mutex_unlock (&m);
  return unused;
}

int main (void)
{
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create (&t[i], 0, increment, 0);
  for (int i = 0; i < N; i++) pthread_join (t[i], 0);
  assert (count == N);
  return 0;
}
