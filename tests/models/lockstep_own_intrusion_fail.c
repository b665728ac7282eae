// The second thread reads `balance` without taking the lock, perhaps while the first one owns it.
#include <lockstep.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int spin, balance;

static void *owner (void *arg) {
  int none = 0;
  lockstep_owned_while (balance, spin, 1);
  while (!atomic_compare_exchange_strong (&spin, &none, 1)) none = 0;
  balance = 10;
  balance = 20;
  spin = 0;
  return arg;
}

static void *reader (void *arg) {
  int seen = balance;
  lockstep_assert (seen <= 20);
  return arg;
}

int main (void) {
  pthread_t t, u;
  pthread_create (&t, NULL, owner, NULL);
  pthread_create (&u, NULL, reader, NULL);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  return 0;
}
