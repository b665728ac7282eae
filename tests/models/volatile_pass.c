// A volatile variable under a mutex is protected like any other.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int x;

static void *worker (void *arg) {
  pthread_mutex_lock (&m);
  x++;
  pthread_mutex_unlock (&m);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, worker, NULL);
  worker (NULL);
  pthread_join (t, NULL);
  return 0;
}
