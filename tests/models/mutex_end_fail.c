// A thread ends without unlocking; the next one waits for ever.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work (void *arg) {
  pthread_mutex_lock (&m);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  pthread_join (t, NULL);
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  return 0;
}
