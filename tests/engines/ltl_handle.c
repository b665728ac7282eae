// The handle of a thread is a number, but not the same one in every model of the program.
#include <pthread.h>

static pthread_t t;
static long count;

static void *worker (void *arg) {
  count = 2;
  return arg;
}

int main (void) {
  pthread_create (&t, NULL, worker, NULL);
  pthread_join (t, NULL);
  return 0;
}
