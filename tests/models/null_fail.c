// A pointer is used before another thread has set it.
#include <pthread.h>
#include <stdatomic.h>

static int x;
static int *_Atomic p;

static void *work (void *arg) {
  p = &x;
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  *p = 1;
  pthread_join (t, NULL);
  return 0;
}
