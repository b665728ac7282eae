// A wait gives the mutex back: the one who is to signal needs it.  (The waiter holds it from before the create on.)
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *wake (void *arg) {
  pthread_mutex_lock (&m);
  pthread_cond_signal (&c);
  pthread_mutex_unlock (&m);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_mutex_lock (&m);
  pthread_create (&t, NULL, wake, NULL);
  pthread_cond_wait (&c, &m);
  pthread_mutex_unlock (&m);
  pthread_join (t, NULL);
  return 0;
}
