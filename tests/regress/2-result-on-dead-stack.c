// Explicit search: an execution ended at a memory error that was not being checked, and the rest was called safe.
#include <assert.h>
#include <pthread.h>

static void *worker (void *arg) {
  int local = 1;
  (void) arg;
  pthread_exit (&local);
}

int main (void) {
  pthread_t t;
  void *result;
  pthread_create (&t, NULL, worker, NULL);
  pthread_join (t, &result);
  assert (*(int *) result == 2);
  return 0;
}
