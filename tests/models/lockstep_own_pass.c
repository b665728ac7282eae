// A spin lock made by hand, explained by lockstep_owned_while: each thread owns `balance` while `spin` has its number.
#include <lockstep.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int spin;
static struct { int money, uses; } balance;

static void *work (void *arg) {
  int me = (int) (long) arg + 1, none = 0;
  lockstep_owned_while (balance, spin, me);
  while (!atomic_compare_exchange_strong (&spin, &none, me)) none = 0;
  balance.money += 10;
  balance.uses++;
  atomic_store (&spin, 0);
  return NULL;
}

int main (void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create (&t[i], NULL, work, (void *) i);
  for (int i = 0; i < 2; i++) pthread_join (t[i], NULL);
  lockstep_assert (balance.money == 20 && balance.uses == 2);
  return 0;
}
