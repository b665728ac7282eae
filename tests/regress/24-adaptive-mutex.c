// A mutex of glibc's adaptive kind locks like a normal one. The interpreter took it for one that may be locked again,
// so the violations that all engines found did not replay.
#define _GNU_SOURCE
#include <pthread.h>

#ifdef LATER
static pthread_mutex_t m;
#else
static pthread_mutex_t m = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
#endif

int main (void) {
#ifdef LATER
  pthread_mutexattr_t kind;
  pthread_mutexattr_init (&kind);
  pthread_mutexattr_settype (&kind, PTHREAD_MUTEX_ADAPTIVE_NP);
  pthread_mutex_init (&m, &kind);
#endif
  pthread_mutex_lock (&m);
  pthread_mutex_lock (&m);
  return 0;
}
