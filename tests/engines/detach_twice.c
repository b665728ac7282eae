// A thread is detached that is detached already, and one that has been joined.
#include <pthread.h>

static void *worker (void *unused) { return unused; }

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, worker, NULL);
#ifdef JOINED
  pthread_join (t, NULL);
#else
  pthread_detach (t);
#endif
  pthread_detach (t);
  return 0;
}
