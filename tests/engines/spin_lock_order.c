// Two spin locks made of atomics, taken in opposite orders: both threads can spin for ever.  Not a deadlock by
// definition, since threads do step; but "no deadlock" must not be claimed.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a, b;

static void take (atomic_int *lock) {
  int expected = 0;
  while (!atomic_compare_exchange_strong (lock, &expected, 1)) expected = 0;
}

static void *left (void *arg) {
  take (&a);
  take (&b);
  atomic_store (&b, 0);
  atomic_store (&a, 0);
  return arg;
}

static void *right (void *arg) {
  take (&b);
  take (&a);
  atomic_store (&a, 0);
  atomic_store (&b, 0);
  return arg;
}

int main (void) {
  pthread_t t, u;
  pthread_create (&t, NULL, left, NULL);
  pthread_create (&u, NULL, right, NULL);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  return 0;
}
