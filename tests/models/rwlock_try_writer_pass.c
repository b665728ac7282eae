// A lock that prefers writers: a try or a timed lock that fails tells that a thread has the lock or is about to get it
// for writing, so the lock is not free for another try until that thread has written. A reader that is only about to
// get the lock makes no writer time out.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static atomic_int entered;

static void *enter (void *writes) {
  if (writes) pthread_rwlock_wrlock (&lock);
  else pthread_rwlock_rdlock (&lock);
  entered = 1;
  pthread_rwlock_unlock (&lock);
  return NULL;
}

static void try_both (int error, int expected) {
  if (!error) pthread_rwlock_unlock (&lock);
  else assert (error == expected);
  if (!error || pthread_rwlock_trywrlock (&lock)) return;
  assert (entered);
  pthread_rwlock_unlock (&lock);
}

int main (void) {
  pthread_t other;
  struct timespec soon = {0, 0};
  pthread_create (&other, NULL, enter, WRITER ? &lock : NULL);
  if (WRITER) try_both (pthread_rwlock_tryrdlock (&lock), EBUSY);
  else try_both (pthread_rwlock_timedwrlock (&lock, &soon), ETIMEDOUT);
  pthread_join (other, NULL);
  return 0;
}
