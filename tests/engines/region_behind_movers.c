// One thread reads `x`; the other takes a lock, which moves right, and then writes `x` in an atomic region that ends its
// transaction.  The state in which both stand before their accesses lies in the middle of two transactions.
#include "lockstep.h"

#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, mine, yours;

static void *reader (void *unused) {
  mine = 1;
  yours = x;
  return unused;
}

static void *writer (void *unused) {
  pthread_mutex_lock (&m);
  lockstep_atomic_begin ();
  x++;
  lockstep_atomic_end ();
  pthread_mutex_unlock (&m);
  return unused;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, reader, NULL);
  pthread_create (&b, NULL, writer, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
