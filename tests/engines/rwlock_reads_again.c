// A reader takes a lock again while a writer waits for it. With the kind that prefers writers the second read lock
// waits for the writer, and the writer for the first one: a deadlock. With the other kinds the reader goes on.
#define _GNU_SOURCE
#include <pthread.h>

#ifndef KIND
#define KIND PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP
#endif
#ifdef LOCAL
pthread_rwlock_t *place;
#define lock (*place)
#elif defined STATIC
pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
#else
pthread_rwlock_t lock;
#endif
int data;

static void *writer (void *unused)
{
  pthread_rwlock_wrlock (&lock);
  data++;
  pthread_rwlock_unlock (&lock);
  return unused;
}

int main (void)
{
#ifdef LOCAL
  pthread_rwlock_t local = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
  place = &local;
#elif !defined STATIC
  pthread_rwlockattr_t attr;
  pthread_rwlockattr_init (&attr);
  pthread_rwlockattr_setkind_np (&attr, KIND);
  pthread_rwlock_init (&lock, &attr);
#endif
  pthread_t t;
  pthread_create (&t, NULL, writer, NULL);
  pthread_rwlock_rdlock (&lock);
  pthread_rwlock_rdlock (&lock);
  int seen = data;
  pthread_rwlock_unlock (&lock);
  pthread_rwlock_unlock (&lock);
  pthread_join (t, NULL);
  return seen > 1;
}
