// A wait gives the mutex back: what it protects may have changed afterwards.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
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
  pthread_mutex_lock (&m);
  x = 0;
  pthread_create (&t, NULL, wake, NULL);
  pthread_cond_wait (&c, &m);
  assert (x == 0);
  pthread_mutex_unlock (&m);
  pthread_join (t, NULL);
  return 0;
}
