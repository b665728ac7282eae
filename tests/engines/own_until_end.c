// What a thread says about ownership ends with the thread: here it ends as the owner.  After the join main may use `balance`.
// EARLY: it does so as soon as the lock is closed, when the thread may not have ended yet.
#include <lockstep.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int spin, balance;

static void *work (void *arg) {
  lockstep_owned_while (balance, spin, 1);
  spin = 1;
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
#ifdef EARLY
  while (spin != 1) continue;
  balance = 1;
#endif
  pthread_join (t, NULL);
  balance = 2;
  return 0;
}
