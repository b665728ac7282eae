// Read-write locks and their attributes (glibc: 8 bytes; here kind and sharing).
#include "intrinsics.h"

int pthread_rwlock_init (void *lock, const int *attr) {
  if (attr && *attr == 2) {  // PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP
    extern void __lockstep_unsupported_rwlock_preferring_writers (void);
    __lockstep_unsupported_rwlock_preferring_writers ();
  }
  __lockstep_rw_init (lock);
  return 0;
}

int pthread_rwlock_destroy (void *lock) { return __lockstep_rw_destroy (lock); }
int pthread_rwlock_rdlock (void *lock) { return __lockstep_rw_rdlock (lock); }
int pthread_rwlock_wrlock (void *lock) { return __lockstep_rw_wrlock (lock); }
int pthread_rwlock_tryrdlock (void *lock) { return __lockstep_rw_tryrdlock (lock); }
int pthread_rwlock_trywrlock (void *lock) { return __lockstep_rw_trywrlock (lock); }
int pthread_rwlock_unlock (void *lock) { return __lockstep_rw_unlock (lock); }

int pthread_rwlock_timedrdlock (void *lock, const void *until) {
  __lockstep_read_time (until);
  return __lockstep_rw_timedrdlock (lock);
}

int pthread_rwlock_timedwrlock (void *lock, const void *until) {
  __lockstep_read_time (until);
  return __lockstep_rw_timedwrlock (lock);
}

int pthread_rwlock_clockrdlock (void *lock, int clock, const void *until) {
  (void) clock;
  return pthread_rwlock_timedrdlock (lock, until);
}

int pthread_rwlock_clockwrlock (void *lock, int clock, const void *until) {
  (void) clock;
  return pthread_rwlock_timedwrlock (lock, until);
}

int pthread_rwlockattr_init (int attr[2]) { return attr[0] = attr[1] = 0; }
int pthread_rwlockattr_destroy (int attr[2]) { return (void) attr, 0; }
int pthread_rwlockattr_setkind_np (int attr[2], int kind) { return attr[0] = kind, 0; }
int pthread_rwlockattr_getkind_np (const int attr[2], int *kind) { return *kind = attr[0], 0; }
int pthread_rwlockattr_setpshared (int attr[2], int shared) { return attr[1] = shared, 0; }
int pthread_rwlockattr_getpshared (const int attr[2], int *shared) { return *shared = attr[1], 0; }
