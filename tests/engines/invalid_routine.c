// The routine of a thread may be no function.
#include <pthread.h>

extern int __VERIFIER_nondet_int (void);
static int x;

static void *worker (void *arg) {
  x = 1;
  return arg;
}

int main (void) {
  pthread_t thread;
  void *(*routine) (void *) = worker;
#if defined NONE
  if (__VERIFIER_nondet_int ()) routine = NULL;
#elif defined DATA
  if (__VERIFIER_nondet_int ()) routine = (void *(*) (void *) ) (void *) &x;
#endif
  pthread_create (&thread, NULL, routine, NULL);
  pthread_join (thread, NULL);
}
