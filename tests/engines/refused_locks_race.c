// Behind each of these calls `x` is counted only if the call was refused, as it is: by a mutex that checks for errors, and by a rwlock whose writer comes
// again.  Engine locks took it that taking and releasing a lock succeeds, and called what follows unreachable.  WHICH is 1 to 4.
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static int refused (void) {
#if WHICH == 1
  pthread_mutex_lock (&m);
  return pthread_mutex_lock (&m) == EDEADLK;
#elif WHICH == 2
  struct timespec never = {0};
  pthread_mutex_lock (&m);
  return pthread_mutex_timedlock (&m, &never) == EDEADLK;
#elif WHICH == 3
  return pthread_mutex_unlock (&m) == EPERM;
#else
  pthread_rwlock_wrlock (&l);
  return pthread_rwlock_wrlock (&l) == EDEADLK;
#endif
}

static void *count (void *unused) {
  if (refused ()) x++;
  return unused;
}

int main (void) {
  pthread_t thread;
  pthread_mutexattr_t checking;
  pthread_mutexattr_init (&checking);
  pthread_mutexattr_settype (&checking, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init (&m, &checking);
  pthread_create (&thread, NULL, count, NULL);
  return x;
}
