// Read-write locks and their attributes (glibc: 8 bytes; here kind and sharing).
#include "intrinsics.h"

int pthread_rwlock_init (void *lock, const int *attr) {
  (void) attr;
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

// ---- locks that prefer writers -----------------------------------------------------------------------
// PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP: readers wait as long as a writer waits, also a reader that has the lock
// already, which is a deadlock. (glibc treats PTHREAD_RWLOCK_PREFER_WRITER_NP like the default, except that a writer
// that unlocks hands over to a waiting writer: some of the orders that the default has.) The functions below are linked
// in programs that may have such locks (src/front/models.c says which).
//
// A writer announces itself: it locks a gate for writing, waits for the lock itself, and opens the gate again. Readers
// pass through the gate before they ask for the lock. The gate is an rwlock of the default kind in words of the object
// that the lock leaves free, 0 in the static initialisers. Two writers may wait, and a reader may pass between them,
// where glibc lets the second writer go first: that is one of the orders of a reader that calls later.
enum { PREFER_WRITER_NONRECURSIVE = 2 };

#if __SIZEOF_POINTER__ == 8
enum { GATE = 8, KIND = 48 };  // bytes; the kind is where the static initialisers put it

static void *gate_of (void *lock) { return (char *) lock + GATE; }
static int *kind_of (void *lock) { return (int *) ((char *) lock + KIND); }
static int prefers_writers (void *lock) {
  return __atomic_load_n (kind_of (lock), __ATOMIC_RELAXED) == PREFER_WRITER_NONRECURSIVE;
}

// The writer itself gets EDEADLK, whatever is at the gate.
static int is_writer (void *lock) {
  return __atomic_load_n ((unsigned *) lock + 6, __ATOMIC_RELAXED) == (unsigned) __lockstep_thread_self ();
}

int pthread_rwlock_init__if__pthread_rwlockattr_setkind_np (void *lock, const int *attr) {
  __lockstep_rw_init (lock);
  __lockstep_rw_init (gate_of (lock));
  __atomic_store_n (kind_of (lock), attr ? *attr : 0, __ATOMIC_RELAXED);
  return 0;
}

// Waits until no writer is at the gate.
static void pass_gate (void *lock) {
  __lockstep_rw_rdlock (gate_of (lock));
  __lockstep_rw_unlock (gate_of (lock));
}

// Whether a thread has it for writing. A reader has the gate for a moment only, so no writer times out because of it.
static int is_held_by_writer (void *lock) {
  return __atomic_load_n ((unsigned *) lock + 6, __ATOMIC_RELAXED) != 0;
}

static int gate_is_closed (void *lock) {
  if (__lockstep_rw_tryrdlock (gate_of (lock))) return 1;
  __lockstep_rw_unlock (gate_of (lock));
  return 0;
}

int pthread_rwlock_rdlock__if__pthread_rwlockattr_setkind_np (void *lock) {
  if (prefers_writers (lock) && !is_writer (lock)) pass_gate (lock);
  return __lockstep_rw_rdlock (lock);
}

int pthread_rwlock_wrlock__if__pthread_rwlockattr_setkind_np (void *lock) {
  if (!prefers_writers (lock) || is_writer (lock)) return __lockstep_rw_wrlock (lock);
  __lockstep_rw_wrlock (gate_of (lock));
  int error = __lockstep_rw_wrlock (lock);
  __lockstep_rw_unlock (gate_of (lock));
  return error;
}

// A closed gate makes both kinds of try fail: the writer there may be about to get the lock (glibc's WRLOCKED).
int pthread_rwlock_tryrdlock__if__pthread_rwlockattr_setkind_np (void *lock) {
  if (prefers_writers (lock) && gate_is_closed (lock)) return EBUSY;
  return __lockstep_rw_tryrdlock (lock);
}

int pthread_rwlock_trywrlock__if__pthread_rwlockattr_setkind_np (void *lock) {
  if (prefers_writers (lock) && gate_is_closed (lock)) return EBUSY;
  return __lockstep_rw_trywrlock (lock);
}

int pthread_rwlock_timedrdlock__if__pthread_rwlockattr_setkind_np (void *lock, const void *until) {
  __lockstep_read_time (until);
  if (prefers_writers (lock) && !is_writer (lock)) {
    if (__lockstep_rw_timedrdlock (gate_of (lock))) return ETIMEDOUT;
    __lockstep_rw_unlock (gate_of (lock));
  }
  return __lockstep_rw_timedrdlock (lock);
}

int pthread_rwlock_timedwrlock__if__pthread_rwlockattr_setkind_np (void *lock, const void *until) {
  __lockstep_read_time (until);
  if (!prefers_writers (lock) || is_writer (lock)) return __lockstep_rw_timedwrlock (lock);
  if (__lockstep_rw_timedwrlock (gate_of (lock))) {
    __lockstep_assume (is_held_by_writer (gate_of (lock)));
    return ETIMEDOUT;
  }
  int error = __lockstep_rw_timedwrlock (lock);
  __lockstep_rw_unlock (gate_of (lock));
  return error;
}
#else  // no room for a gate, and the kind lies where the writer is noted
static int refuse_preferring_writers (void) {
  extern void __lockstep_unsupported_rwlock_preferring_writers (void);
  __lockstep_unsupported_rwlock_preferring_writers ();
  return 0;
}

int pthread_rwlock_init__if__pthread_rwlockattr_setkind_np (void *lock, const int *attr) {
  if (attr && *attr == PREFER_WRITER_NONRECURSIVE) refuse_preferring_writers ();
  __lockstep_rw_init (lock);
  return 0;
}

#define REFUSED(NAME) int NAME##__if____lockstep_initialised_preferring_writers (void)
REFUSED (pthread_rwlock_rdlock) { return refuse_preferring_writers (); }
REFUSED (pthread_rwlock_wrlock) { return refuse_preferring_writers (); }
REFUSED (pthread_rwlock_tryrdlock) { return refuse_preferring_writers (); }
REFUSED (pthread_rwlock_trywrlock) { return refuse_preferring_writers (); }
REFUSED (pthread_rwlock_timedrdlock) { return refuse_preferring_writers (); }
REFUSED (pthread_rwlock_timedwrlock) { return refuse_preferring_writers (); }
#endif

// ---- attributes --------------------------------------------------------------------------------------
int pthread_rwlockattr_init (int attr[2]) { return attr[0] = attr[1] = 0; }
int pthread_rwlockattr_destroy (int attr[2]) { return (void) attr, 0; }
int pthread_rwlockattr_setkind_np (int attr[2], int kind) {
  if (kind < 0 || kind > PREFER_WRITER_NONRECURSIVE) return EINVAL;
  attr[0] = kind;
  return 0;
}
int pthread_rwlockattr_getkind_np (const int attr[2], int *kind) { return *kind = attr[0], 0; }
int pthread_rwlockattr_setpshared (int attr[2], int shared) { return attr[1] = shared, 0; }
int pthread_rwlockattr_getpshared (const int attr[2], int *shared) { return *shared = attr[1], 0; }
