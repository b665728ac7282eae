// Unlocking a mutex in memory another thread has freed.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *m;

static void *work (void *arg) {
  pthread_mutex_lock (m);
  pthread_mutex_unlock (m);
  return arg;
}

int main (void) {
  pthread_t t;
  m = malloc (sizeof *m);
  pthread_mutex_init (m, NULL);
  pthread_create (&t, NULL, work, NULL);
  free (m);
  pthread_join (t, NULL);
  return 0;
}
