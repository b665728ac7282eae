// A timed lock of a mutex nobody else uses succeeds.
#include <assert.h>
#include <pthread.h>

int main (void) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  struct timespec soon = { 1, 0 };
  assert (pthread_mutex_timedlock (&m, &soon) == 0);
  assert (pthread_mutex_unlock (&m) == 0);
  return 0;
}
