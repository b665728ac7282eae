// libevent with threads: evthread_use_pthreads gives every base a lock, and event_del waits for a callback that another
// thread is just running.
#include "event.h"

static int __lockstep_event_threads;

int evthread_use_pthreads (void) {
  __atomic_store_n (&__lockstep_event_threads, 1, __ATOMIC_SEQ_CST);
  return 0;
}

int evthread_make_base_notifiable (struct event_base *base) { return base ? 0 : -1; }

// A base without a lock beside others with one would make every use of a lock a question of values.
void __lockstep_event_base_made__if__evthread_use_pthreads (void) {
  extern void __lockstep_unsupported_event_base_made_before_evthread_use_pthreads (void);
  if (!__atomic_load_n (&__lockstep_event_threads, __ATOMIC_SEQ_CST))
    __lockstep_unsupported_event_base_made_before_evthread_use_pthreads ();
}

void __lockstep_event_without_lock__if__evthread_use_pthreads (void) {
  extern void __lockstep_unsupported_event_base_without_lock_beside_evthread_use_pthreads (void);
  __lockstep_unsupported_event_base_without_lock_beside_evthread_use_pthreads ();
}

void __lockstep_event_enter__if__evthread_use_pthreads (struct event_base *base) { __lockstep_mutex_lock (base->lock); }

void __lockstep_event_leave__if__evthread_use_pthreads (struct event_base *base) {
  __lockstep_mutex_unlock (base->lock);
}

static int runs_elsewhere (const struct event_base *base, const struct event *ev) {
  __lockstep_atomic_begin ();
  int result = base->running == ev && base->thread != __lockstep_thread_self ();
  __lockstep_atomic_end ();
  return result;
}

void __lockstep_event_await__if__evthread_use_pthreads (struct event_base *base, struct event *ev) {
  while (runs_elsewhere (base, ev)) {
    __lockstep_cond_wait (base->done, base->lock);
    __lockstep_cond_resume (base->done, base->lock);
  }
}

void __lockstep_event_callback_done__if__evthread_use_pthreads (struct event_base *base) {
  __lockstep_cond_broadcast (base->done);
}
