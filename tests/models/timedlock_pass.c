// Opposite orders with a timed lock: it gives up instead of deadlocking.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static const struct timespec soon = { 1, 0 };

static void *work (void *arg) {
  pthread_mutex_lock (&a);
  int error = pthread_mutex_timedlock (&b, &soon);
  assert (error == 0 || error == ETIMEDOUT);
  if (error == 0) pthread_mutex_unlock (&b);
  pthread_mutex_unlock (&a);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  pthread_mutex_lock (&b);
  pthread_mutex_lock (&a);
  pthread_mutex_unlock (&a);
  pthread_mutex_unlock (&b);
  pthread_join (t, NULL);
  return 0;
}
