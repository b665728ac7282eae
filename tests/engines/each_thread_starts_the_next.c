// Engine `explicit`: a thread that starts the next one and ends leaves it alone, and one step of the search went on along the chain for ever, past every time limit.
#include <assert.h>
#include <pthread.h>

static int started;

static void *worker (void *arg) {
  pthread_t next;
  pthread_detach (pthread_self ());
  started = started < 3 ? started + 1 : 0;
  assert (started <= 3);
  pthread_create (&next, NULL, worker, NULL);
  return arg;
}

int main (void) {
  pthread_t first;
  pthread_create (&first, NULL, worker, NULL);
  pthread_exit (NULL);
}
