// 64 threads alive at once, each with work of its own only.  With BLOCKED they wait for main, and --max-threads below their
// number cuts the execution.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *own_work (void *arg) {
  long x = (long) arg;
  for (int i = 0; i < 3; i++) x += i;
#ifdef BLOCKED
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
#endif
  return (void *) x;
}

int main (void) {
  pthread_t t[64];
  pthread_mutex_lock (&m);
  for (long i = 0; i < 64; i++) pthread_create (&t[i], NULL, own_work, (void *) i);
  pthread_mutex_unlock (&m);
  for (long i = 0; i < 64; i++) pthread_join (t[i], NULL);
  return 0;
}
