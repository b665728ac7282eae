// Nine locks in two pieces: five, then four in a callee; five given back.
#define _GNU_SOURCE
#include <pthread.h>
pthread_mutex_t d = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, b = PTHREAD_MUTEX_INITIALIZER;
#define L pthread_mutex_lock (&d)
#define U pthread_mutex_unlock (&d)
static __attribute__ ((noinline)) void four (void) { L; L; L; L; }
void *one (void *arg) {
  (void) arg;
  L; L; L; L; L; four ();
  U; U; U; U; U;
  pthread_mutex_lock (&b);
  pthread_mutex_unlock (&b);
  U; U; U; U;
  return 0;
}
void *two (void *arg) {
  (void) arg;
  pthread_mutex_lock (&b);
  pthread_mutex_lock (&d);
  pthread_mutex_unlock (&d);
  pthread_mutex_unlock (&b);
  return 0;
}
int main (void) {
  pthread_t t, u;
  pthread_create (&t, 0, one, 0);
  pthread_create (&u, 0, two, 0);
  pthread_join (t, 0); pthread_join (u, 0);
  return 0;
}
