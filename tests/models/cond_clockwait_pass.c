// pthread_cond_clockwait waits like pthread_cond_timedwait: it holds the mutex again when it returns, in time or not.
#define _GNU_SOURCE
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
  pthread_cond_clockwait (&c, &m, CLOCK_MONOTONIC, &until);
  x++;
  pthread_mutex_unlock (&m);
  pthread_join (t, NULL);
  return 0;
}
