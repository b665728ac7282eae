// A lock made of a variable that does not say who holds it.  -DTWO: there is room for two; the third is one too many, and that takes three threads.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume (int);
extern void __VERIFIER_atomic_begin (void), __VERIFIER_atomic_end (void);
#ifdef TWO
enum { ROOM = 2 };
#else
enum { ROOM = 1 };
#endif
static unsigned char taken, inside;

static void *worker (void *arg) {
  __VERIFIER_atomic_begin ();
  __VERIFIER_assume (taken < ROOM);
  taken++;
  __VERIFIER_atomic_end ();
  inside = 1;
  assert (inside == 1);
  inside = 0;
  __VERIFIER_atomic_begin ();
  taken--;
  __VERIFIER_atomic_end ();
  return arg;
}

int main (void) {
  pthread_t thread;
  for (;;) pthread_create (&thread, NULL, worker, NULL);
}
