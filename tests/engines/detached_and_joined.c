// Who joins a thread that has detached itself does not end it: it keeps its slot until it ends.  A trace of the engine circuit gave that slot
// to the next thread, and did not replay.
#include <assert.h>
#include <pthread.h>

static int x;

static void *work (void *unused) {
  pthread_detach (pthread_self ());
  x = 1;
  return unused;
}

int main (void) {
  pthread_t thread;
  pthread_create (&thread, NULL, work, NULL);
  pthread_join (thread, NULL);
  for (;;) {
    pthread_create (&thread, NULL, work, NULL);
    assert (!x);
  }
}
