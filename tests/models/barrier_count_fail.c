// A barrier for three with two threads.
#include <pthread.h>

static pthread_barrier_t b;

static void *work (void *arg) {
  pthread_barrier_wait (&b);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_barrier_init (&b, NULL, 3);
  pthread_create (&t, NULL, work, NULL);
  work (NULL);
  pthread_join (t, NULL);
  return 0;
}
