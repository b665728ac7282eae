// A mutex on the heap: initialised, used, destroyed, freed.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int main (void) {
  pthread_mutex_t *m = malloc (sizeof *m);
  assert (pthread_mutex_init (m, NULL) == 0);
  assert (pthread_mutex_lock (m) == 0);
  assert (pthread_mutex_unlock (m) == 0);
  assert (pthread_mutex_destroy (m) == 0);
  free (m);
  return 0;
}
