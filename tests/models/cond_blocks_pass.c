// A wait blocks until the signal and has the mutex again afterwards: no race, the value is there.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int x;

static void *wake (void *arg) {
  pthread_mutex_lock (&m);
  pthread_cond_signal (&c);
  x = 1;
  pthread_mutex_unlock (&m);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_mutex_lock (&m);
  pthread_create (&t, NULL, wake, NULL);
  pthread_cond_wait (&c, &m);
  assert (x == 1);
  pthread_mutex_unlock (&m);
  pthread_join (t, NULL);
  return 0;
}
