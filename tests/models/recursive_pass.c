// A recursive mutex may be taken again by its owner: no deadlock, and free after as many unlocks.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m;
static int count;

static void *work (void *arg) {
  pthread_mutex_lock (&m);
  assert (pthread_mutex_lock (&m) == 0);
  count++;
  pthread_mutex_unlock (&m);
  count++;
  pthread_mutex_unlock (&m);
  return arg;
}

int main (void) {
  pthread_mutexattr_t attr;
  pthread_t t;
  pthread_mutexattr_init (&attr);
  pthread_mutexattr_settype (&attr, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init (&m, &attr);
  pthread_mutexattr_destroy (&attr);
  pthread_create (&t, NULL, work, NULL);
  work (NULL);
  pthread_join (t, NULL);
  assert (count == 4);
  return 0;
}
