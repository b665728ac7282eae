// Explicit search: a rwlock whose holder had ended and was joined counted as free again some day; the deadlock was missed.
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *holder (void *arg) {
#ifdef READ
  pthread_rwlock_rdlock (&l);
#else
  pthread_rwlock_wrlock (&l);
#endif
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, holder, NULL);
  pthread_join (t, NULL);
  pthread_rwlock_wrlock (&l);
  return 0;
}
