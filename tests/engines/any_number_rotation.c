// Threads without end pass values round, each with a lock of its own making in its hand; nobody who has the lock sees two of them equal.  They differ for a reason that takes many steps to see: decision diagrams of views find it at once.
// -DFORGETS: the lock is given back too early.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin (void);
void __VERIFIER_atomic_end (void);
void __VERIFIER_assume (int);

static int taken, first = 1, second = 2, third = 3, fourth = 4, spare;

static void take (void) {
  __VERIFIER_atomic_begin ();
  __VERIFIER_assume (!taken);
  taken = 1;
  __VERIFIER_atomic_end ();
}

static void give_back (void) {
  __VERIFIER_atomic_begin ();
  taken = 0;
  __VERIFIER_atomic_end ();
}

static void *turn (void *arg) {
  for (;;) {
    take ();
    spare = first;
    first = second;
#ifdef FORGETS
    give_back ();
#endif
    second = third;
    third = fourth;
    fourth = spare;
#ifndef FORGETS
    give_back ();
#endif
  }
  return arg;
}

static void *look (void *arg) {
  for (;;) {
    take ();
    assert (first != third);
    give_back ();
  }
  return arg;
}

int main (void) {
  pthread_t thread;
  pthread_create (&thread, NULL, look, NULL);
  for (;;) pthread_create (&thread, NULL, turn, NULL);
}
