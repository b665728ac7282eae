// Executions that end in an error are no runs: only the one on which x stays 0 is.
#include <assert.h>
#include <pthread.h>

static _Atomic int x, y;

static void *worker (void *arg) {
  x = 1;
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, 0, worker, 0);
  assert (x == 0);
  y = 1;
  pthread_join (t, 0);
  return 0;
}
