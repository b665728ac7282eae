// Condition variables.  A wait is two operations, because other threads run between them: give the mutex back and
// start waiting; then, woken, take the mutex again.  The attribute (one int) holds clock and sharing.
#include "intrinsics.h"

int pthread_cond_init (void *cond, const int *attr) {
  (void) attr;
  __lockstep_cond_init (cond);
  return 0;
}

int pthread_cond_wait (void *cond, void *mutex) {
  __lockstep_cond_wait (cond, mutex);
  return __lockstep_cond_resume (cond, mutex);
}

int pthread_cond_timedwait (void *cond, void *mutex, const void *until) {
  __lockstep_read_time (until);
  __lockstep_cond_wait (cond, mutex);
  return __lockstep_cond_timedresume (cond, mutex);
}

int pthread_cond_clockwait (void *cond, void *mutex, int clock, const void *until) {
  (void) clock;
  return pthread_cond_timedwait (cond, mutex, until);
}

int pthread_cond_signal (void *cond) {
  __lockstep_cond_signal (cond);
  return 0;
}

int pthread_cond_broadcast (void *cond) {
  __lockstep_cond_broadcast (cond);
  return 0;
}

int pthread_cond_destroy (void *cond) { return __lockstep_cond_destroy (cond); }

int pthread_condattr_init (int *attr) { return *attr = 0; }
int pthread_condattr_destroy (int *attr) { return (void) attr, 0; }
int pthread_condattr_setclock (int *attr, int clock) { return *attr = (*attr & 1) | clock << 1, 0; }
int pthread_condattr_getclock (const int *attr, int *clock) { return *clock = *attr >> 1, 0; }
int pthread_condattr_setpshared (int *attr, int shared) { return *attr = (*attr & ~1) | (shared & 1), 0; }
int pthread_condattr_getpshared (const int *attr, int *shared) { return *shared = *attr & 1, 0; }
