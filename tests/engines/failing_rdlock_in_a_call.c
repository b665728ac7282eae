// Who has the lock for writing fails to take it for reading, at once; the unlock that follows gives back what it has.
#define _GNU_SOURCE
#include <pthread.h>
pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
int x;
static __attribute__ ((noinline)) void f (void) { pthread_rwlock_rdlock (&w); x++; }
void *one (void *arg) {
  (void) arg;
  pthread_rwlock_wrlock (&w);
  f ();
  pthread_rwlock_unlock (&w);
  return 0;
}
void *two (void *arg) {
  (void) arg;
  x++;
  return 0;
}
int main (void) {
  pthread_t t, u;
  pthread_create (&t, 0, one, 0);
  pthread_create (&u, 0, two, 0);
  pthread_join (t, 0); pthread_join (u, 0);
  return 0;
}
