// A reader of one lock and a writer of the other, crosswise.
#include <pthread.h>

static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;

static void cross (pthread_rwlock_t *first, pthread_rwlock_t *second) {
  pthread_rwlock_rdlock (first);
  pthread_rwlock_wrlock (second);
  pthread_rwlock_unlock (second);
  pthread_rwlock_unlock (first);
}

static void *work (void *arg) {
  cross (&a, &b);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  cross (&b, &a);
  pthread_join (t, NULL);
  return 0;
}
