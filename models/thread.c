// Threads: pthread_create, join, detach, exit, self, equal, once, scheduling hints, cancellation.
//
// A thread starts directly in the user's routine.  Programs with thread-specific data or cleanup handlers need more at
// its start or end; they get other versions of the three functions below (key.c and the end of this file), so that all
// others pay nothing for it.
#include "intrinsics.h"

int __lockstep_start_thread (void *handle, void *(*start) (void *), void *argument) {
  return __lockstep_thread_create (handle, start, argument);
}

void __lockstep_before_exit (void) {}
void __lockstep_check_cleanup (void) {}

// The first word of an attribute object is its detach state (attr.c).
int pthread_create (thread_handle *handle, const int *attr, void *(*start) (void *), void *argument) {
  int error = __lockstep_start_thread (handle, start, argument);
  if (error == 0 && attr && *attr) __lockstep_thread_detach (__atomic_load_n (handle, __ATOMIC_RELAXED));
  return error;
}

int pthread_join (thread_handle thread, void **result) {
  if (thread == __lockstep_thread_self ()) return EDEADLK;
  void *value = __lockstep_thread_join (thread);
  if (result) *result = value;
  return 0;
}

int pthread_detach (thread_handle thread) {
  __lockstep_thread_detach (thread);
  return 0;
}

NORETURN void pthread_exit (void *result) {
  __lockstep_check_cleanup ();
  __lockstep_before_exit ();
  __lockstep_thread_exit (result);
}

thread_handle pthread_self (void) { return __lockstep_thread_self (); }

int pthread_equal (thread_handle a, thread_handle b) { return a == b; }

int pthread_once (void *once, void (*routine) (void)) {
  if (__lockstep_once_begin (once)) {
    routine ();
    __lockstep_once_end (once);
  }
  return 0;
}

// ---- scheduling hints: every schedule is explored anyway -------------------------------------------
int sched_yield (void) { return 0; }
int pthread_yield (void) { return 0; }
int pthread_setconcurrency (int level) { return (void) level, 0; }
int pthread_getconcurrency (void) { return 0; }
int pthread_setschedprio (thread_handle thread, int priority) { return (void) thread, (void) priority, 0; }
int pthread_setaffinity_np (thread_handle thread, size_t size, const void *set) {
  return (void) thread, (void) size, (void) set, 0;
}
int pthread_setname_np (thread_handle thread, const char *name) {
  (void) thread;
  __lockstep_read_string (name);
  return 0;
}
int pthread_setschedparam (thread_handle thread, int policy, const int *parameter) {
  return (void) thread, (void) policy, (void) parameter, 0;
}
int pthread_getschedparam (thread_handle thread, int *policy, int *parameter) {
  (void) thread;
  *policy = 0;
  *parameter = 0;
  return 0;
}
int pthread_atfork (void (*before) (void), void (*parent) (void), void (*child) (void)) {
  return (void) before, (void) parent, (void) child, 0;
}

// ---- cancellation ----------------------------------------------------------------------------------
// A request for it is not modelled.  What pthread_cleanup_push and _pop expand to works: the
// handler runs at pop, from the macro's own code.
int pthread_cancel (thread_handle thread) {
  extern void __lockstep_unsupported_pthread_cancel (thread_handle);
  __lockstep_unsupported_pthread_cancel (thread);
  return 0;
}

void pthread_testcancel (void) {}

int pthread_setcancelstate (int state, int *old) {
  static _Thread_local int __lockstep_cancel_state;
  if (state != 0 && state != 1) return EINVAL;
  if (old) *old = __lockstep_cancel_state;
  __lockstep_cancel_state = state;
  return 0;
}

int pthread_setcanceltype (int type, int *old) {
  static _Thread_local int __lockstep_cancel_type;
  if (type != 0 && type != 1) return EINVAL;
  if (old) *old = __lockstep_cancel_type;
  __lockstep_cancel_type = type;
  return 0;
}

static _Thread_local int __lockstep_cleanup_depth;

void __pthread_register_cancel (void *buffer) {
  (void) buffer;
  __lockstep_cleanup_depth++;
}

void __pthread_unregister_cancel (void *buffer) {
  (void) buffer;
  __lockstep_cleanup_depth--;
}

NORETURN void __pthread_unwind_next (void *buffer) {
  (void) buffer;
  pthread_exit ((void *) -1);
}

int __sigsetjmp (void *environment, int save_mask) { return (void) environment, (void) save_mask, 0; }

// pthread_exit between push and pop would have to run the handlers, but these are out of reach: the macro keeps them in
// locals behind a setjmp.
void __lockstep_check_cleanup__if____pthread_register_cancel (void) {
  extern void __lockstep_unsupported_pthread_exit_between_cleanup_push_and_pop (void);
  if (__lockstep_cleanup_depth > 0) __lockstep_unsupported_pthread_exit_between_cleanup_push_and_pop ();
}
