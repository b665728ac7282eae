// Opposite orders are harmless under a common outer mutex.
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void both (pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock (&gate);
  pthread_mutex_lock (first);
  pthread_mutex_lock (second);
  pthread_mutex_unlock (second);
  pthread_mutex_unlock (first);
  pthread_mutex_unlock (&gate);
}

static void *work (void *arg) {
  both (&a, &b);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  both (&b, &a);
  pthread_join (t, NULL);
  return 0;
}
