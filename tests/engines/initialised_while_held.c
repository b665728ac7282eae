// A lock is initialised while another thread holds it.
#include <pthread.h>

#ifdef RWLOCK
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
#define INIT pthread_rwlock_init
#define LOCK pthread_rwlock_rdlock
#define UNLOCK pthread_rwlock_unlock
#else
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
#define INIT pthread_mutex_init
#define LOCK pthread_mutex_lock
#define UNLOCK pthread_mutex_unlock
#endif

static void *use (void *unused) {
  LOCK (&l);
  UNLOCK (&l);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, use, NULL);
  INIT (&l, NULL);
  pthread_join (t, NULL);
  return 0;
}
