// A try lock that succeeds excludes the others; one that fails says EBUSY.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *read_if_free (void *arg) {
  int error = pthread_rwlock_tryrdlock (&lock);
  assert (error == 0 || error == EBUSY);
  if (error) return arg;
  assert (x == 0 || x == 1);
  pthread_rwlock_unlock (&lock);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, read_if_free, NULL);
  int error = pthread_rwlock_trywrlock (&lock);
  assert (error == 0 || error == EBUSY);
  if (error == 0) {
    x = 1;
    pthread_rwlock_unlock (&lock);
  }
  pthread_join (t, NULL);
  return 0;
}
