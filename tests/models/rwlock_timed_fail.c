// A timed read lock may time out while someone writes.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static const struct timespec soon = { 1, 0 };

static void *work (void *arg) {
  pthread_rwlock_wrlock (&lock);
  pthread_rwlock_unlock (&lock);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  assert (pthread_rwlock_timedrdlock (&lock, &soon) == 0);
  pthread_rwlock_unlock (&lock);
  pthread_join (t, NULL);
  return 0;
}
