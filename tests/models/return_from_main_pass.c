// Returning from main ends the process: what another thread would do later never happens.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int never;

static void *spin (void *arg) {
  while (!atomic_load (&never)) continue;
  assert (0);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, spin, NULL);
  return 0;
}
