// Mutexes and their attributes.  An attribute object is one int, in glibc as here: kind in the low byte, then four
// bits each of sharing, protocol and robustness, then the priority ceiling.
#include "intrinsics.h"

enum { KIND = 0, SHARED = 8, PROTOCOL = 12, ROBUST = 16, CEILING = 20 };

// glibc's kinds are 0 normal (default, timed), 1 recursive, 2 errorcheck, 3 adaptive.
int pthread_mutex_init (void *mutex, const int *attr) {
  int kind = attr ? *attr & 0xff : MUTEX_NORMAL;
  __lockstep_mutex_init (mutex, kind == 3 ? MUTEX_NORMAL : kind);
  return 0;
}

int pthread_mutex_lock (void *mutex) { return __lockstep_mutex_lock (mutex); }
int pthread_mutex_trylock (void *mutex) { return __lockstep_mutex_trylock (mutex); }
int pthread_mutex_unlock (void *mutex) { return __lockstep_mutex_unlock (mutex); }
int pthread_mutex_destroy (void *mutex) { return __lockstep_mutex_destroy (mutex); }

int pthread_mutex_timedlock (void *mutex, const void *until) {
  __lockstep_read_time (until);
  return __lockstep_mutex_timedlock (mutex);
}

int pthread_mutex_clocklock (void *mutex, int clock, const void *until) {
  (void) clock;
  __lockstep_read_time (until);
  return __lockstep_mutex_timedlock (mutex);
}

// ---- attributes ------------------------------------------------------------------------------------
static int set_field (int *attr, int shift, int mask, int value) {
  if (value & ~mask) return EINVAL;
  *attr = (*attr & ~(mask << shift)) | (value << shift);
  return 0;
}

static int get_field (const int *attr, int shift, int mask, int *value) {
  *value = *attr >> shift & mask;
  return 0;
}

int pthread_mutexattr_init (int *attr) { return *attr = 0; }
int pthread_mutexattr_destroy (int *attr) { return (void) attr, 0; }

// The whole byte, so that the kind is known of an attribute object that was not initialised, as in glibc.
int pthread_mutexattr_settype (int *attr, int kind) {
  if (kind & ~3) return EINVAL;
  *attr = (*attr & ~0xff) | kind;
  return 0;
}
int pthread_mutexattr_gettype (const int *attr, int *kind) { return get_field (attr, KIND, 3, kind); }
int pthread_mutexattr_setkind_np (int *attr, int kind) { return pthread_mutexattr_settype (attr, kind); }
int pthread_mutexattr_getkind_np (const int *attr, int *kind) { return get_field (attr, KIND, 3, kind); }
int pthread_mutexattr_setpshared (int *attr, int shared) { return set_field (attr, SHARED, 1, shared); }
int pthread_mutexattr_getpshared (const int *attr, int *shared) { return get_field (attr, SHARED, 1, shared); }
int pthread_mutexattr_setprotocol (int *attr, int protocol) { return set_field (attr, PROTOCOL, 3, protocol); }
int pthread_mutexattr_getprotocol (const int *attr, int *protocol) { return get_field (attr, PROTOCOL, 3, protocol); }
int pthread_mutexattr_setprioceiling (int *attr, int ceiling) { return set_field (attr, CEILING, 0xff, ceiling); }
int pthread_mutexattr_getprioceiling (const int *attr, int *ceiling) {
  return get_field (attr, CEILING, 0xff, ceiling);
}

// The lock of a robust mutex whose owner has ended succeeds with EOWNERDEAD; here it waits for ever.
int pthread_mutexattr_setrobust (int *attr, int robust) {
  if (robust == 1) {
    extern void __lockstep_unsupported_robust_mutex (void);
    __lockstep_unsupported_robust_mutex ();
  }
  return set_field (attr, ROBUST, 1, robust);
}

int pthread_mutexattr_getrobust (const int *attr, int *robust) { return get_field (attr, ROBUST, 1, robust); }
int pthread_mutex_consistent (void *mutex) { return (void) mutex, EINVAL; }
