// A handler popped without being run: the mutex it would have unlocked is still held at the end.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void unlock (void *arg) { pthread_mutex_unlock (arg); }

static void *work (void *arg) {
  pthread_mutex_lock (&m);
  pthread_cleanup_push (unlock, &m);
  pthread_cleanup_pop (0);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  pthread_join (t, NULL);
  return 0;
}
