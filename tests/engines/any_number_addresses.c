// Threads publish the address of a variable of their own: they can be told apart by it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic (int *) last;

static void *worker (void *arg) {
  int mine = 0;
  int *other = atomic_exchange (&last, &mine);
  assert (other != &mine);
  return arg;
}

int main (void) {
  pthread_t thread;
  for (;;) pthread_create (&thread, NULL, worker, NULL);
}
