// A lock that prefers writers, used without recursion: no deadlock, and what the calls return while the lock is held.
// tryrdlock fails while a writer waits; a writer that gave up keeps no reader out; the writer itself gets EDEADLK.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
int data, asked;

static void *writer (void *unused)
{
  const struct timespec soon = {1, 0};
#ifdef TIMED
  int error = pthread_rwlock_timedwrlock (&lock, &soon);
  assert (!error || error == ETIMEDOUT);
  if (error) return unused;
#else
  assert (pthread_rwlock_wrlock (&lock) == 0);
#endif
  assert (pthread_rwlock_wrlock (&lock) == EDEADLK && pthread_rwlock_rdlock (&lock) == EDEADLK);
  assert (pthread_rwlock_timedrdlock (&lock, &soon) == EDEADLK && pthread_rwlock_trywrlock (&lock) == EBUSY);
  data++;
  pthread_rwlock_unlock (&lock);
  return unused;
}

static void *reader (void *unused)
{
  pthread_rwlock_rdlock (&lock);
  int before = data;
  int error = pthread_rwlock_tryrdlock (&lock);
  assert (error == 0 || error == EBUSY);
#ifdef NEVER_BUSY
  assert (error == 0);
#endif
  if (!error) pthread_rwlock_unlock (&lock);
  assert (data == before);
  pthread_rwlock_unlock (&lock);
  return unused;
}

int main (void)
{
  pthread_t w, r;
  pthread_create (&w, NULL, writer, NULL);
  pthread_create (&r, NULL, reader, NULL);
  pthread_join (w, NULL);
  pthread_join (r, NULL);
  assert (pthread_rwlock_tryrdlock (&lock) == 0);
  pthread_rwlock_unlock (&lock);
  return 0;
}
