// C11 <threads.h> over the same operations as pthreads; results are thrd_success, thrd_busy, ... .
#include "intrinsics.h"

enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };
enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };

extern int pthread_key_create (unsigned *, void (*) (void *));
extern int pthread_key_delete (unsigned);
extern int pthread_setspecific (unsigned, const void *);
extern void *pthread_getspecific (unsigned);
extern NORETURN void pthread_exit (void *);

// ---- threads ---------------------------------------------------------------------------------------
// A start routine returns int; the operation keeps the bits it returned, and thrd_join takes the low ones back.
int thrd_create (thread_handle *handle, int (*start) (void *), void *argument) {
  return __lockstep_start_thread (handle, (void *(*) (void *) ) (void *) start, argument) ? thrd_nomem : thrd_success;
}

int thrd_join (thread_handle thread, int *result) {
  int value = (int) (uintptr_t) __lockstep_thread_join (thread);
  if (result) *result = value;
  return thrd_success;
}

int thrd_detach (thread_handle thread) {
  __lockstep_thread_detach (thread);
  return thrd_success;
}

NORETURN void thrd_exit (int result) { pthread_exit ((void *) (uintptr_t) (unsigned) result); }
thread_handle thrd_current (void) { return __lockstep_thread_self (); }
int thrd_equal (thread_handle a, thread_handle b) { return a == b; }
void thrd_yield (void) {}

int thrd_sleep (const void *duration, void *remaining) {
  (void) remaining;
  __lockstep_read_time (duration);
  return 0;
}

// ---- mutexes ---------------------------------------------------------------------------------------
int mtx_init (void *mutex, int type) {
  __lockstep_mutex_init (mutex, type & mtx_recursive ? MUTEX_RECURSIVE : MUTEX_NORMAL);
  return thrd_success;
}

int mtx_lock (void *mutex) { return __lockstep_mutex_lock (mutex) ? thrd_error : thrd_success; }
int mtx_trylock (void *mutex) { return __lockstep_mutex_trylock (mutex) ? thrd_busy : thrd_success; }
int mtx_unlock (void *mutex) { return __lockstep_mutex_unlock (mutex) ? thrd_error : thrd_success; }
void mtx_destroy (void *mutex) { __lockstep_mutex_destroy (mutex); }

int mtx_timedlock (void *mutex, const void *until) {
  __lockstep_read_time (until);
  return __lockstep_mutex_timedlock (mutex) ? thrd_timedout : thrd_success;
}

// ---- condition variables ---------------------------------------------------------------------------
int cnd_init (void *cond) {
  __lockstep_cond_init (cond);
  return thrd_success;
}

int cnd_wait (void *cond, void *mutex) {
  __lockstep_cond_wait (cond, mutex);
  return __lockstep_cond_resume (cond, mutex) ? thrd_error : thrd_success;
}

int cnd_timedwait (void *cond, void *mutex, const void *until) {
  __lockstep_read_time (until);
  __lockstep_cond_wait (cond, mutex);
  return __lockstep_cond_timedresume (cond, mutex) ? thrd_timedout : thrd_success;
}

int cnd_signal (void *cond) {
  __lockstep_cond_signal (cond);
  return thrd_success;
}

int cnd_broadcast (void *cond) {
  __lockstep_cond_broadcast (cond);
  return thrd_success;
}

void cnd_destroy (void *cond) { __lockstep_cond_destroy (cond); }

// ---- once, thread-specific data --------------------------------------------------------------------
void call_once (void *flag, void (*routine) (void)) {
  if (__lockstep_once_begin (flag)) {
    routine ();
    __lockstep_once_end (flag);
  }
}

int tss_create (unsigned *key, void (*destructor) (void *)) {
  return pthread_key_create (key, destructor) ? thrd_error : thrd_success;
}

void tss_delete (unsigned key) { pthread_key_delete (key); }
void *tss_get (unsigned key) { return pthread_getspecific (key); }
int tss_set (unsigned key, void *value) { return pthread_setspecific (key, value) ? thrd_error : thrd_success; }
