// Who holds a lock is not alone with it if somebody tries: the critical section touches nothing shared, but `busy` tells that it was seen.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int inside, busy;

void *holding (void *unused)
{
  (void) unused;
  pthread_mutex_lock (&m);
  inside = 1;
  inside = 2;
  pthread_mutex_unlock (&m);
  return NULL;
}

void *trying (void *unused)
{
  (void) unused;
  if (pthread_mutex_trylock (&m)) busy = 1;
  else pthread_mutex_unlock (&m);
  assert (!busy);
  return NULL;
}

int main (void)
{
  pthread_t one, two;
  pthread_create (&one, NULL, holding, NULL);
  pthread_create (&two, NULL, trying, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  return 0;
}
