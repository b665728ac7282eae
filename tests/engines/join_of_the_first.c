// A thread joins the first one, which has told it its handle: each waits for the other's end.  With LOCK the first waits for a lock that
// the other holds meanwhile.
#include <pthread.h>

static pthread_t first;
static pthread_mutex_t m;

static void *wait (void *unused) {
  pthread_mutex_lock (&m);
  pthread_join (first, NULL);
  pthread_mutex_unlock (&m);
  return unused;
}

int main (void) {
  pthread_t t;
  first = pthread_self ();
  pthread_create (&t, NULL, wait, NULL);
#ifdef LOCK
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
#else
  pthread_join (t, NULL);
#endif
  pthread_exit (NULL);
}
