// A level that one thread raises to at most 3 and another lowers, for ever: the assertion holds by an invariant.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int level;

void *worker (void *unused)
{
  for (;;) {
    pthread_mutex_lock (&m);
    if (level < 3) level++;
    pthread_mutex_unlock (&m);
  }
  return unused;
}

int main (void)
{
  pthread_t t;
  pthread_create (&t, 0, worker, 0);
  for (;;) {
    pthread_mutex_lock (&m);
    assert (level <= 3);
    if (level > 0) level--;
    pthread_mutex_unlock (&m);
  }
}
