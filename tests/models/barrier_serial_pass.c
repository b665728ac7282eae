// Exactly one thread of a round is told that it is the serial one.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;

static void *work (void *arg) { return pthread_barrier_wait (&b) == PTHREAD_BARRIER_SERIAL_THREAD ? arg : NULL; }

int main (void) {
  pthread_t t;
  void *serial;
  pthread_barrier_init (&b, NULL, 2);
  pthread_create (&t, NULL, work, &b);
  int here = work (&b) != NULL;
  pthread_join (t, &serial);
  assert (here + (serial != NULL) == 1);
  return 0;
}
