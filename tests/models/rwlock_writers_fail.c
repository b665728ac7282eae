// Two writers cannot: the first waits at the barrier for a second that never gets in.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t meet;

static void *work (void *arg) {
  pthread_rwlock_wrlock (&lock);
  pthread_barrier_wait (&meet);
  pthread_rwlock_unlock (&lock);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_barrier_init (&meet, NULL, 2);
  pthread_create (&t, NULL, work, NULL);
  work (NULL);
  pthread_join (t, NULL);
  return 0;
}
