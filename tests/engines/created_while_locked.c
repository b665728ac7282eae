// Main creates `second` while it holds something, and gives that back at once: it protects `second` from nobody.
#include <pthread.h>
#include <stdatomic.h>

#include "lockstep.h"

static atomic_int flag;
static int x;

#ifdef CELL
static void enter (void) {
  int old = 0;
  while (!atomic_compare_exchange_strong (&flag, &old, 1)) old = 0;
}
static void leave (void) { atomic_store (&flag, 0); }
#else
static void enter (void) { lockstep_atomic_begin (); }
static void leave (void) { lockstep_atomic_end (); }
#endif

static void *first (void *unused) {
  enter ();
  x++;
  leave ();
  return unused;
}

static void *second (void *unused) {
  x++;
  return unused;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, first, NULL);
  enter ();
  pthread_create (&b, NULL, second, NULL);
  leave ();
  return 0;
}
