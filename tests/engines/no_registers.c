// At its end the main thread stands in a frame without registers, before an operation with fewer arguments than most.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker (void *unused) {
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  return unused;
}

void main (void) {
  pthread_t a;
  pthread_create (&a, NULL, worker, NULL);
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
}
