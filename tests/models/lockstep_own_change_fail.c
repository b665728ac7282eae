// Main opens the lock of a thread that may be inside (with GIVE: it closes the lock in the name of the thread).  The
// numbers alone (what is owned is never used by two threads at once) would be right.
#include <lockstep.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int spin;
static int balance;

static void *work (void *arg) {
  int none = 0;
  lockstep_owned_while (balance, spin, 7);
#ifdef GIVE
  while (spin != 7) continue;
#else
  while (!atomic_compare_exchange_strong (&spin, &none, 7)) none = 0;
#endif
  balance++;
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
#ifdef GIVE
  spin = 7;
#else
  atomic_store (&spin, 0);
#endif
  pthread_join (t, NULL);
  return 0;
}
