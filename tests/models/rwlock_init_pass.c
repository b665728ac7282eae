// Initialised with attributes, used twice for reading by one thread, destroyed.
#include <assert.h>
#include <pthread.h>

int main (void) {
  pthread_rwlockattr_t attr;
  pthread_rwlock_t lock;
  int shared;
  pthread_rwlockattr_init (&attr);
  pthread_rwlockattr_setpshared (&attr, PTHREAD_PROCESS_PRIVATE);
  pthread_rwlockattr_getpshared (&attr, &shared);
  assert (shared == PTHREAD_PROCESS_PRIVATE);
  assert (pthread_rwlock_init (&lock, &attr) == 0);
  pthread_rwlockattr_destroy (&attr);
  assert (pthread_rwlock_rdlock (&lock) == 0);
  assert (pthread_rwlock_rdlock (&lock) == 0);
  assert (pthread_rwlock_unlock (&lock) == 0);
  assert (pthread_rwlock_unlock (&lock) == 0);
  assert (pthread_rwlock_destroy (&lock) == 0);
  return 0;
}
