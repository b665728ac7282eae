// Two threads count to the same counter without a lock: both may read the same old value, and one step is lost.
#include <assert.h>
#include <pthread.h>

int count = 0;

void *worker (void *unused)
{
  (void) unused;
  count++;
  return NULL;
}

int main (void)
{
  pthread_t one, two;
  pthread_create (&one, NULL, worker, NULL);
  pthread_create (&two, NULL, worker, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  assert (count == 2);
  return 0;
}
