// Initialised with attributes, signalled without effect, destroyed.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

int main (void) {
  pthread_condattr_t attr;
  pthread_cond_t c;
  clockid_t clock;
  pthread_condattr_init (&attr);
  pthread_condattr_setclock (&attr, CLOCK_MONOTONIC);
  pthread_condattr_getclock (&attr, &clock);
  assert (clock == CLOCK_MONOTONIC);
  assert (pthread_cond_init (&c, &attr) == 0);
  pthread_condattr_destroy (&attr);
  assert (pthread_cond_signal (&c) == 0);
  assert (pthread_cond_broadcast (&c) == 0);
  assert (pthread_cond_destroy (&c) == 0);
  return 0;
}
