// The callee's lock fails, because the caller holds the mutex and it checks for errors; its unlock then gives back the caller's.
#define _GNU_SOURCE
#include <pthread.h>
pthread_mutex_t e = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
int x;
#ifdef SOMETIMES
int __VERIFIER_nondet_int (void);
#define RUNS __VERIFIER_nondet_int ()
#else
#define RUNS 1
#endif
static __attribute__ ((noinline)) void f (void) {
  if (RUNS) {
    pthread_mutex_lock (&e);
    pthread_mutex_unlock (&e);
  }
}
void *one (void *arg) {
  (void) arg;
  pthread_mutex_lock (&e);
  f ();
  x++;
  return 0;
}
void *two (void *arg) {
  (void) arg;
  pthread_mutex_lock (&e);
  x++;
  pthread_mutex_unlock (&e);
  return 0;
}
int main (void) {
  pthread_t t, u;
  pthread_create (&t, 0, one, 0);
  pthread_create (&u, 0, two, 0);
  pthread_join (t, 0); pthread_join (u, 0);
  return 0;
}
