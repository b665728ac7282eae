// What a thread writes to its copy does not reach main's.
#include <assert.h>
#include <pthread.h>

static _Thread_local int n;

static void *work (void *arg) {
  n = 1;
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  pthread_join (t, NULL);
  assert (n == 1);
  return 0;
}
