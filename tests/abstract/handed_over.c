// Any number is handed over by a flag; what arrives is what was sent, and it is in range.  -DEARLY: the flag is raised before the number is there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int (void);

static atomic_int ready, parcel, sent;

static void *sender (void *unused) {
  int n = __VERIFIER_nondet_int ();
  if (n < 10) n = 10;
  sent = n;
#ifdef EARLY
  ready = 1;
  parcel = n;
#else
  parcel = n;
  ready = 1;
#endif
  return unused;
}

int main (void) {
  pthread_t a;
  pthread_create (&a, NULL, sender, NULL);
  if (ready) {
    int got = parcel;
    assert (got >= 10);
    assert (got == sent);
  }
  return 0;
}
