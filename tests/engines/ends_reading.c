// A thread that may end while it reads an rwlock: the machine has to know of the lock when it builds the end.
#include <pthread.h>

extern int __VERIFIER_nondet_int (void);
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *worker (void *arg) {
  if (__VERIFIER_nondet_int ()) {
    pthread_rwlock_rdlock (&lock);
#ifdef RELEASES
    pthread_rwlock_unlock (&lock);
#endif
  }
  return arg;
}

int main (void) {
  pthread_t thread;
  pthread_create (&thread, NULL, worker, NULL);
  pthread_join (thread, NULL);
}
