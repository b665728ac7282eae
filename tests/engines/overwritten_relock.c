// A held mutex is overwritten like data: it is free again, whoever still thinks he holds it.  By the owner's word the
// second lock of main is no relock; it may take the mutex for good while the worker waits for it.
#include <pthread.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker (void *unused) {
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  return unused;
}

int main (void) {
  pthread_t t;
  pthread_mutex_lock (&m);
  pthread_create (&t, NULL, worker, NULL);
  memset (&m, 0, sizeof m);
  pthread_mutex_lock (&m);
  pthread_join (t, NULL);
  return 0;
}
