// Both executors: a mutex used as a rwlock too shared the words of its state, and locking it one way undid the other.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *reader (void *arg) {
  pthread_rwlock_rdlock ((pthread_rwlock_t *) &m);
  x++;
  pthread_rwlock_unlock ((pthread_rwlock_t *) &m);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, reader, NULL);
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  pthread_rwlock_wrlock ((pthread_rwlock_t *) &m);
  x++;
  pthread_rwlock_unlock ((pthread_rwlock_t *) &m);
  pthread_join (t, NULL);
  return 0;
}
