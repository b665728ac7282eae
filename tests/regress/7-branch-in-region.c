// An atomic region whose first point only branches did not begin a step: what preceded it and the region were one step for engine circuit
// (`safe` with --mtx=off), or others could run inside of it.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin (void);
void __VERIFIER_atomic_end (void);
int x, y;

static void *worker (void *argument) {
  int positive = argument != 0;
  y = 1;
  __VERIFIER_atomic_begin ();
  if (positive) x = 1;
  else x = -1;
  __VERIFIER_atomic_end ();
  return 0;
}

int main (void) {
  pthread_t thread;
  pthread_create (&thread, 0, worker, &x);
  __VERIFIER_atomic_begin ();
  int between = y && !x;
  __VERIFIER_atomic_end ();
  assert (!between);
  pthread_join (thread, 0);
}
