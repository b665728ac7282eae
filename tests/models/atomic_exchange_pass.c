// Only one of two compare-and-exchanges from 0 succeeds.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owner;
static int winners;

static void *work (void *arg) {
  int expected = 0;
  if (atomic_compare_exchange_strong (&owner, &expected, 1)) winners++;
  else assert (expected == 1);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  work (NULL);
  pthread_join (t, NULL);
  assert (winners == 1);
  return 0;
}
