// Two threads that count round and round under a lock, for ever: what holds needs an invariant.  With WRONG the count goes one too far.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned char count;

#ifdef WRONG
enum { MOST = 6 };
#else
enum { MOST = 5 };
#endif

static void *turn (void *unused) {
  for (;;) {
    pthread_mutex_lock (&m);
    count = count == MOST ? 0 : count + 1;
    assert (count < 6);
    pthread_mutex_unlock (&m);
  }
  return unused;
}

int main (void) {
  pthread_t thread;
  pthread_create (&thread, NULL, turn, NULL);
  turn (NULL);
  return 0;
}
