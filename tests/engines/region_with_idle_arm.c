// One way through the atomic region does nothing that others notice; still nobody runs between the region's test and its end.
// Behind it stands an access that may race.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin (void);
extern void __VERIFIER_atomic_end (void);

static volatile int closed, inside, seen;

static int enter (void) {
  int entered = 0;
  __VERIFIER_atomic_begin ();
  if (!closed) {
    inside = inside + 1;
    entered = 1;
  }
  __VERIFIER_atomic_end ();
  return entered;
}

static void *closer (void *arg) {
  __VERIFIER_atomic_begin ();
  closed = 1;
  seen = inside;
  __VERIFIER_atomic_end ();
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, closer, NULL);
  int entered = enter ();
  int was = seen;
  pthread_join (t, NULL);
  assert (seen == entered);
  assert (!was || entered);
  return 0;
}
