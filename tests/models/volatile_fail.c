// volatile is not atomic.
#include <pthread.h>

static volatile int x;

static void *work (void *arg) {
  x = 1;
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  x = 2;
  pthread_join (t, NULL);
  return 0;
}
