// Destroying a read-write lock somebody still reads under.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main (void) {
  pthread_rwlock_rdlock (&lock);
  pthread_rwlock_destroy (&lock);
  pthread_rwlock_unlock (&lock);
  return 0;
}
