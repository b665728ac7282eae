// The engine `locks` proved that no lock is misused where a lock is used after its destruction, or copied while it is destroyed or held.  The engine `order`
// did not see that the copy of a destroyed lock is destroyed.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

#ifdef THREAD
static void *use (void *a) {
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  return a;
}
#endif

int main (void) {
#if defined COPY
  pthread_mutex_destroy (&m);
  n = m;
  pthread_mutex_lock (&n);
#elif defined HELD
  pthread_mutex_lock (&m);
  n = m;
  pthread_mutex_lock (&n);
#elif defined THREAD
  pthread_t t;
  pthread_mutex_destroy (&m);
  pthread_create (&t, NULL, use, NULL);
#elif defined TWICE
  pthread_mutex_destroy (&m);
  pthread_mutex_destroy (&m);
#elif defined AGAIN
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  pthread_mutex_destroy (&m);
  pthread_mutex_lock (&n);
  pthread_mutex_unlock (&n);
  pthread_mutex_init (&m, NULL);
  pthread_mutex_destroy (&n);
#else
  pthread_mutex_destroy (&m);
  pthread_mutex_trylock (&m);
#endif
}
