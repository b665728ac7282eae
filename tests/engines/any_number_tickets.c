// Each thread draws a number that no other one has, up to three, and marks it: that no two have the same is about two threads, not about one.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume (int);
extern void __VERIFIER_atomic_begin (void), __VERIFIER_atomic_end (void);
static unsigned char next, marked;

static void *worker (void *arg) {
  __VERIFIER_atomic_begin ();
  __VERIFIER_assume (next < 3);
  unsigned char mine = next++;
  __VERIFIER_atomic_end ();
  __VERIFIER_atomic_begin ();
  assert (!(marked & 1 << mine));
  marked |= (unsigned char) (1 << mine);
  __VERIFIER_atomic_end ();
  return arg;
}

int main (void) {
  pthread_t thread;
  for (;;) pthread_create (&thread, NULL, worker, NULL);
}
