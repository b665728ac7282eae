// Threads are started and joined in loops over an array of handles: what main does afterwards meets nobody.
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 4
#endif

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int sum;

void *adding (void *unused)
{
  (void) unused;
  pthread_mutex_lock (&m);
  sum++;
  pthread_mutex_unlock (&m);
  return NULL;
}

int main (void)
{
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create (&threads[i], NULL, adding, NULL);
  for (int i = 0; i < THREADS; i++) pthread_join (threads[i], NULL);
  assert (sum == THREADS);
  return 0;
}
