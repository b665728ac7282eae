// Two threads write under the read lock, which both can have at once.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *work (void *arg) {
  pthread_rwlock_rdlock (&lock);
  x++;
  pthread_rwlock_unlock (&lock);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  work (NULL);
  pthread_join (t, NULL);
  return 0;
}
