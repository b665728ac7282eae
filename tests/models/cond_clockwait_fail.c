// pthread_cond_clockwait may time out before anybody signals.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int x;

static void *other (void *arg) {
  pthread_mutex_lock (&m);
  x++;
  pthread_cond_signal (&c);
  pthread_mutex_unlock (&m);
  return arg;
}

int main (void) {
  pthread_t t;
  struct timespec until = {1, 0};
  pthread_create (&t, NULL, other, NULL);
  pthread_mutex_lock (&m);
  int late = pthread_cond_clockwait (&c, &m, CLOCK_MONOTONIC, &until);
  assert (!late);
  x++;
  pthread_mutex_unlock (&m);
  pthread_join (t, NULL);
  return 0;
}
