// The same with a lock: one thread takes and gives it back for ever without looking at anything.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int turns, seen;

void *looping (void *unused)
{
  (void) unused;
  for (;;) {
    pthread_mutex_lock (&m);
    turns = 1;
    pthread_mutex_unlock (&m);
  }
  return NULL;
}

void *looking (void *unused)
{
  (void) unused;
  pthread_mutex_lock (&m);
  seen = turns;
  pthread_mutex_unlock (&m);
  assert (!seen);
  return NULL;
}

int main (void)
{
  pthread_t one, two;
  pthread_create (&one, NULL, looping, NULL);
  pthread_create (&two, NULL, looking, NULL);
  pthread_join (two, NULL);
  return 0;
}
