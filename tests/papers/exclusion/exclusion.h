// What the algorithms for mutual exclusion in this folder share: THREADS threads enter for ever, and say so.  Each file defines `enter` and `leave`; with -DWRONG it has
// one mistake, which its comment names.  `wants[k]`: thread k has begun to enter; `inside`: 0, or the number of the thread inside + 1.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 2
#endif

atomic_int wants[THREADS], inside;

static void enter (int me);
static void leave (int me);

static void *enter_for_ever (void *argument) {
  int me = (int) (long) argument;
  for (;;) {
    wants[me] = 1;
    enter (me);
    inside = me + 1;
    wants[me] = 0;
    assert (inside == me + 1);
    leave (me);
  }
  return 0;
}

int main (void) {
  pthread_t threads[THREADS];
  for (long k = 0; k < THREADS; k++) pthread_create (&threads[k], 0, enter_for_ever, (void *) k);
  for (int k = 0; k < THREADS; k++) pthread_join (threads[k], 0);
}
