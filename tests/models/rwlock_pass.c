// One writes under the write lock, one reads under the read lock.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;

static void *read_both (void *arg) {
  pthread_rwlock_rdlock (&lock);
  assert (x == y);
  pthread_rwlock_unlock (&lock);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, read_both, NULL);
  pthread_rwlock_wrlock (&lock);
  x = 1;
  y = 1;
  pthread_rwlock_unlock (&lock);
  pthread_join (t, NULL);
  return 0;
}
