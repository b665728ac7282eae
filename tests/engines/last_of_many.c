// The thread that is started first has to come last, after all the others and before main ends the process.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { WORKERS = 40 };
static atomic_int ready;

static void *watch (void *unused) {
  assert (ready < WORKERS);
  return unused;
}

static void *work (void *unused) {
  int seen = ready;
  ready = seen + 1;
  return unused;
}

int main (void) {
  pthread_t watcher, worker;
  pthread_create (&watcher, NULL, watch, NULL);
  for (int k = 0; k < WORKERS; k++) pthread_create (&worker, NULL, work, NULL);
}
