// It need not be main.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;

static void *work (void *arg) {
  pthread_barrier_wait (&b);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_barrier_init (&b, NULL, 2);
  pthread_create (&t, NULL, work, NULL);
  assert (pthread_barrier_wait (&b) == PTHREAD_BARRIER_SERIAL_THREAD);
  pthread_join (t, NULL);
  return 0;
}
