// A timed wait ends by signal or by time, with the mutex held in both cases; so it cannot deadlock.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static const struct timespec soon = { 1, 0 };
static int x;

static void *wake (void *arg) {
  pthread_mutex_lock (&m);
  x = 1;
  pthread_cond_signal (&c);
  pthread_mutex_unlock (&m);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, wake, NULL);
  pthread_mutex_lock (&m);
  int error = pthread_cond_timedwait (&c, &m, &soon);
  assert ((error == 0 && x == 1) || error == ETIMEDOUT);
  pthread_mutex_unlock (&m);
  pthread_join (t, NULL);
  return 0;
}
