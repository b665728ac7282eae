// One unlock too few: the recursive mutex stays taken, and the other thread waits for ever.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void *work (void *arg) {
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_mutex_lock (&m);
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  pthread_create (&t, NULL, work, NULL);
  pthread_join (t, NULL);
  return 0;
}
