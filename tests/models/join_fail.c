// Without a join, main reads the result while the thread may still be writing it.
#include <assert.h>
#include <pthread.h>

static int result;

static void *compute (void *arg) {
  result = 42;
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, compute, NULL);
  assert (result == 42);
  pthread_join (t, NULL);
  return 0;
}
