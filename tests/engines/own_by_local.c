// The cell is a local variable of the owner, and its changes count like those of any memory: LATE clears it after the lock
// is open, when another thread may use `balance` already.  AGAIN: the first declaration is wrong, but replaced in time.
// OTHERS: the cell is the mutex's own owner, and locking it makes the other thread own `balance`; operations of locks
// are no accesses, so this is left open.
#include <lockstep.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int balance;

static void *work (void *number_of_other) {
  int inside = 0;
#ifdef AGAIN
  lockstep_owned_while (balance, inside, -1);
#endif
#ifdef OTHERS
  lockstep_owned_while (balance, m.__data.__owner, (long) number_of_other);
#endif
  pthread_mutex_lock (&m);
#ifndef OTHERS
  lockstep_owned_while (balance, inside, 1);
  inside = 1;
  balance++;
#endif
#ifndef LATE
  inside = 0;
#endif
  pthread_mutex_unlock (&m);
  inside = -1;
  return number_of_other;
}

int main (void) {
  pthread_t t, u;
  pthread_create (&t, NULL, work, (void *) 3);
  pthread_create (&u, NULL, work, (void *) 2);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  return 0;
}
