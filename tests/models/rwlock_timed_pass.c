// Timed locks may time out, so the two upgrades of rwlock_upgrade_fail.c end.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static const struct timespec soon = { 1, 0 };

static void *work (void *arg) {
  assert (pthread_rwlock_timedrdlock (&lock, &soon) == 0);
  assert (pthread_rwlock_timedwrlock (&lock, &soon) == ETIMEDOUT);
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
