// Each thread gets the element that the counter says, from where a pointer stands.  With BACK the pointer goes back as the counter goes on: all
// get the same element.  With SOMETIMES it does so in one round only.
#include <pthread.h>

extern int __VERIFIER_nondet_int (void);
static int count[4];

static void *work (void *which) {
  ++*(int *) which;
  return NULL;
}

int main (void) {
  pthread_t t[2];
  int *from = &count[__VERIFIER_nondet_int () ? 1 : 2];
  for (int i = 0; i < 2; i++) {
    pthread_create (&t[i], NULL, work, from + i);
#ifdef BACK
    from--;
#elif defined SOMETIMES
    if (__VERIFIER_nondet_int ()) from = count;
#endif
  }
  return 0;
}
