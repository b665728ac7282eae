// A try inside an atomic region observes that another thread holds the mutex. The reduction `transactions` did not
// record it, took the acquire of the other thread for a right mover, and missed the failing assertion.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin (void);
void __VERIFIER_atomic_end (void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *hold (void *unused) {
  pthread_mutex_lock (&m);
  x++;
  pthread_mutex_unlock (&m);
  return unused;
}

int main (void) {
  pthread_t holder;
  pthread_create (&holder, NULL, hold, NULL);
  __VERIFIER_atomic_begin ();
  int error = pthread_mutex_trylock (&m);
  if (!error) pthread_mutex_unlock (&m);
  __VERIFIER_atomic_end ();
  assert (!error);
  pthread_join (holder, NULL);
  return 0;
}
