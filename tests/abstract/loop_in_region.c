// An atomic region with a loop is not one step: others must wait until it ends.  -DOPEN: it is none.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin (void), __VERIFIER_atomic_end (void);
extern int __VERIFIER_nondet_int (void);

static int pieces;

static void *pack (void *unused) {
  int left = __VERIFIER_nondet_int ();
#ifndef OPEN
  __VERIFIER_atomic_begin ();
#endif
  pieces = 1;
  while (left > 0) {
    pieces = 2;
    left--;
    pieces = 1;
  }
  pieces = 0;
#ifndef OPEN
  __VERIFIER_atomic_end ();
#endif
  return unused;
}

int main (void) {
  pthread_t a;
  pthread_create (&a, NULL, pack, NULL);
  __VERIFIER_atomic_begin ();
  assert (pieces == 0);
  __VERIFIER_atomic_end ();
  return 0;
}
