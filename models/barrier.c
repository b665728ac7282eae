// Barriers: all but the last to arrive wait until it has.
#include "intrinsics.h"

int pthread_barrier_init (void *barrier, const int *attr, unsigned count) {
  (void) attr;
  if (count == 0) return EINVAL;
  __lockstep_barrier_init (barrier, count);
  return 0;
}

int pthread_barrier_wait (void *barrier) {
  int result = __lockstep_barrier_arrive (barrier);
  if (result == 0) __lockstep_barrier_resume (barrier);
  return result;
}

int pthread_barrier_destroy (void *barrier) { return __lockstep_barrier_destroy (barrier); }

int pthread_barrierattr_init (int *attr) { return *attr = 0; }
int pthread_barrierattr_destroy (int *attr) { return (void) attr, 0; }
int pthread_barrierattr_setpshared (int *attr, int shared) { return *attr = shared, 0; }
int pthread_barrierattr_getpshared (const int *attr, int *shared) { return *shared = *attr, 0; }
