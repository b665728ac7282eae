// A try for writing fails while someone reads.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *work (void *arg) {
  pthread_rwlock_rdlock (&lock);
  pthread_rwlock_unlock (&lock);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  assert (pthread_rwlock_trywrlock (&lock) == 0);
  pthread_rwlock_unlock (&lock);
  pthread_join (t, NULL);
  return 0;
}
