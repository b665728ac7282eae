// Copies of locks that are held.  The engine `locks` proved, and so did `auto`, that there is no deadlock; so did `circuit` for the rwlock, of
// which the words do not say who reads.
#include <pthread.h>

#if defined RW
typedef pthread_rwlock_t lock;
#define INITIALIZER PTHREAD_RWLOCK_INITIALIZER
#define TAKE(L) pthread_rwlock_rdlock (L)
#define TAKE_COPY(L) pthread_rwlock_wrlock (L)
#else
typedef pthread_mutex_t lock;
#define INITIALIZER PTHREAD_MUTEX_INITIALIZER
#define TAKE(L) pthread_mutex_lock (L)
#define TAKE_COPY(L) pthread_mutex_lock (L)
#endif

lock m = INITIALIZER, n = INITIALIZER;

static void *use (void *a) {
  TAKE_COPY (&n);
  return a;
}

int main (void) {
  pthread_t t;
#ifndef FREE
  TAKE (&m);
#endif
  n = m;
  pthread_create (&t, NULL, use, NULL);
  pthread_join (t, NULL);
}
