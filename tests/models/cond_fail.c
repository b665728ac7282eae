// The predicate is tested before the mutex is taken: the signal can fall in between and is lost.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *produce (void *arg) {
  ready = 1;
  pthread_mutex_lock (&m);
  pthread_cond_signal (&c);
  pthread_mutex_unlock (&m);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, produce, NULL);
  if (!ready) {
    pthread_mutex_lock (&m);
    pthread_cond_wait (&c, &m);
    pthread_mutex_unlock (&m);
  }
  pthread_join (t, NULL);
  return 0;
}
