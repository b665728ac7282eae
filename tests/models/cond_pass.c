// The usual wait: the predicate is tested in a loop, under the mutex.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, value;

static void *produce (void *arg) {
  pthread_mutex_lock (&m);
  value = 9;
  ready = 1;
  pthread_cond_signal (&c);
  pthread_mutex_unlock (&m);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, produce, NULL);
  pthread_mutex_lock (&m);
  while (!ready) pthread_cond_wait (&c, &m);
  assert (value == 9);
  pthread_mutex_unlock (&m);
  pthread_join (t, NULL);
  return 0;
}
