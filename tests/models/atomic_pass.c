// Atomic increments are not lost and do not race.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n;

static void *work (void *arg) {
  atomic_fetch_add (&n, 1);
  n++;
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  work (NULL);
  pthread_join (t, NULL);
  assert (n == 4);
  return 0;
}
