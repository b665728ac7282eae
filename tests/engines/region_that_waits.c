// An atomic region that has to wait for a lock is not one any more: main sees the middle of it, and later its end.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin (void), __VERIFIER_atomic_end (void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, done;

static void *wait_inside (void *unused) {
  __VERIFIER_atomic_begin ();
  x = 1;
  pthread_mutex_lock (&m);
  x = 0;
  done = 1;
  pthread_mutex_unlock (&m);
  __VERIFIER_atomic_end ();
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, wait_inside, NULL);
  pthread_mutex_lock (&m);
  int seen = x;
  pthread_mutex_unlock (&m);
  pthread_mutex_lock (&m);
  assert (!(seen && done));
  pthread_mutex_unlock (&m);
  return 0;
}
