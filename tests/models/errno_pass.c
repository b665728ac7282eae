// errno is one per thread.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *work (void *arg) {
  assert (errno == 0);
  errno = 5;
  return arg;
}

int main (void) {
  pthread_t t;
  errno = 7;
  pthread_create (&t, NULL, work, NULL);
  pthread_join (t, NULL);
  assert (errno == 7);
  return 0;
}
