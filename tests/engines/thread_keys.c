// A fixed number of keys, for any number of threads: the model's table of keys is never full.  With MANY it may be.
#include <pthread.h>

extern int __VERIFIER_nondet_int (void);
static pthread_key_t first, second;
static int common;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *run (void *unused) {
  int own = 0, other = 0;
  pthread_setspecific (first, &own);
  pthread_setspecific (second, &other);
  *(int *) pthread_getspecific (first) += 1;
  pthread_mutex_lock (&m);
  common++;
  pthread_mutex_unlock (&m);
  return unused;
}

int main (void) {
  pthread_t thread;
#ifdef MANY
  while (__VERIFIER_nondet_int ())
#endif
    pthread_key_create (&first, NULL);
  pthread_key_create (&second, NULL);
  while (__VERIFIER_nondet_int ()) pthread_create (&thread, NULL, run, NULL);
  return 0;
}
