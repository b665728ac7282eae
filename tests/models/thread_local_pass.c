// A thread-local variable is one per thread: no race, and the initial value everywhere.
#include <assert.h>
#include <pthread.h>

static _Thread_local int n = 7;

static void *work (void *arg) {
  n++;
  assert (n == 8);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  work (NULL);
  pthread_join (t, NULL);
  assert (n == 8);
  return 0;
}
