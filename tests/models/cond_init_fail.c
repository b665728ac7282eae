// Waiting at a condition variable nobody initialised.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main (void) {
  pthread_cond_t *c = malloc (sizeof *c);
  struct timespec soon = { 1, 0 };
  pthread_mutex_lock (&m);
  pthread_cond_timedwait (c, &m, &soon);
  pthread_mutex_unlock (&m);
  free (c);
  return 0;
}
