// main holds a mutex when it creates a thread, the thread writes over it and ends, and main gives back what it no longer
// holds.  No two threads use the mutex at once, so the engine order asked only whether the writer held it: SAFE.
#include <pthread.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *overwrite (void *unused) {
#ifdef ASSIGNED
  m = (pthread_mutex_t) PTHREAD_MUTEX_INITIALIZER;
#else
  memset (&m, 0, sizeof m);
#endif
  return unused;
}

int main (void) {
  pthread_t t;
  pthread_mutex_lock (&m);
#ifdef RELEASED
  pthread_mutex_unlock (&m);
#endif
  pthread_create (&t, 0, overwrite, 0);
  pthread_join (t, 0);
#ifdef RELEASED
  pthread_mutex_lock (&m);
#endif
  pthread_mutex_unlock (&m);
  return 0;
}
