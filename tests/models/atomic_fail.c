// Two atomic accesses are two steps: the update in between is lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n;

static void *work (void *arg) {
  atomic_store (&n, atomic_load (&n) + 1);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  work (NULL);
  pthread_join (t, NULL);
  assert (n == 2);
  return 0;
}
