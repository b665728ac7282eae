// Two readers both want to write: each waits for the other to stop reading.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *work (void *arg) {
  pthread_rwlock_rdlock (&lock);
  pthread_rwlock_wrlock (&lock);
  pthread_rwlock_unlock (&lock);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  work (NULL);
  pthread_join (t, NULL);
  return 0;
}
