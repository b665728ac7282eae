// Destructors run when main returns, and also where the program calls exit; pthread_exit of the last thread is a bound.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int done;

__attribute__ ((destructor)) static void at_end (void) { assert (!done); }

int main (void) {
  done = 1;
#ifdef EXIT
  exit (0);
#elif defined AT_ONCE
  _Exit (0);
#elif defined THREAD_EXIT
  pthread_exit (NULL);
#endif
  return 0;
}
