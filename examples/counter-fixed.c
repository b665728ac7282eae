// The counter again, each step under the same mutex: no race, and the sum is right in every interleaving.
#include <assert.h>
#include <pthread.h>

int count = 0;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker (void *unused)
{
  (void) unused;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock (&m);
    count++;
    pthread_mutex_unlock (&m);
  }
  return NULL;
}

int main (void)
{
  pthread_t one, two;
  pthread_create (&one, NULL, worker, NULL);
  pthread_create (&two, NULL, worker, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  assert (count == 4);
  return 0;
}
