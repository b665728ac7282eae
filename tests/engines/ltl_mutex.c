// Two threads share a mutex for ever.  A fair scheduler may still give it always to the same one: weak fairness gives a turn to who can
// always go on, and whoever waits for a mutex cannot while it is taken.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *worker (void *arg) {
  int self = arg != 0;
  for (;;) {
    pthread_mutex_lock (&m);
    inside = self + 1;
work:
    inside = 0;
    pthread_mutex_unlock (&m);
  }
  return 0;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, 0, worker, (void *) 1);
  worker (0);
  return 0;
}
