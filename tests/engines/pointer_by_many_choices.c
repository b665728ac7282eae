// A pointer that forty choices lead to: each of them shares its alternatives with the next, so there are few addresses and 2^40 ways.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool (void);

static int a, b;

static void *set (void *p) {
  *(int *) p = 1;
  return NULL;
}

int main (void) {
  int *p = &a, *q = &b;
  for (int round = 0; round < 40; round++) {
    _Bool swap = __VERIFIER_nondet_bool ();
    int *next = swap ? q : p;
    q = swap ? p : q;
    p = next;
  }
  pthread_t t;
  pthread_create (&t, NULL, set, p);
  pthread_join (t, NULL);
  assert (a + b == 1);
  return 0;
}
