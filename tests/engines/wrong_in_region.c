// The assertion fails inside an atomic region, which is never left then: nobody else moves any more.  Its step is one of its own, and others were executed before it.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin (void);
extern void __VERIFIER_atomic_end (void);

int x, y;

static void *writer (void *unused) {
  (void) unused;
  __VERIFIER_atomic_begin ();
  x++;
  __VERIFIER_atomic_end ();
  __VERIFIER_atomic_begin ();
  y++;
  __VERIFIER_atomic_end ();
  return NULL;
}

static void *reader (void *unused) {
  (void) unused;
  __VERIFIER_atomic_begin ();
  assert (x == y);
  __VERIFIER_atomic_end ();
  return NULL;
}

int main (void) {
  pthread_t one, two;
  pthread_create (&one, NULL, writer, NULL);
  pthread_create (&two, NULL, reader, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  return 0;
}
