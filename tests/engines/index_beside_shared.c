// One element of the array is shared, another is one thread's own; an index names any of them.  With -DWRITE it is written by index instead.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint (void);
static int a[4];

static void *one (void *unused) {
  a[0] = 1;
  a[1] = 7;
  return NULL;
}

static void *two (void *unused) {
  a[0] = 2;
  return NULL;
}

int main (void) {
  pthread_t first, second;
  pthread_create (&first, NULL, one, NULL);
  pthread_create (&second, NULL, two, NULL);
  pthread_join (first, NULL);
  pthread_join (second, NULL);
  unsigned i = __VERIFIER_nondet_uint ();
  if (i >= 4) return 0;
#ifdef WRITE
  a[i] = 9;
  assert (a[1] != 9);
#else
  assert (a[i] != 7);
#endif
  return 0;
}
