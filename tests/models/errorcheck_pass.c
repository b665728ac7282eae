// An error-checking mutex refuses to be taken again by its owner.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

int main (void) {
  assert (pthread_mutex_lock (&m) == 0);
  assert (pthread_mutex_lock (&m) == EDEADLK);
  assert (pthread_mutex_unlock (&m) == 0);
  return 0;
}
