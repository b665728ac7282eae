// Bases of libevent and their loops: which callback runs next, and when a loop ends.
//
// libevent works in rounds: it asks the system which events have come about, then runs their callbacks one after the
// other, in an order it does not promise.  EVLOOP_ONCE and event_base_loopexit let a round be completed.  So here a
// callback is chosen when it is due, among those that may have been part of the round: pending when it began, not yet
// run in it.  Where no end is in sight, every callback is a round of its own: that allows all orders already.
//
// An event at a file or signal may come about, and a timer run out, at any time.  A loop none of whose events can fire
// waits for ever in libevent; here such an execution is not continued, and never counts as a deadlock.
#include "event.h"

enum { LOOP_ONCE = 0x01, LOOP_NONBLOCK = 0x02, LOOP_STAYS = 0x04, LOOP_ONE_ROUND = LOOP_ONCE | LOOP_NONBLOCK };

// ---- which thread may use a base ----------------------------------------------------------------------------
// Without evthread_use_pthreads (event_threads.c) a base has no lock: if two threads use it at once, it is a data race.
void __lockstep_event_enter (struct event_base *base) { base->used = 1; }
void __lockstep_event_leave (struct event_base *base) { (void) base; }
void __lockstep_event_await (struct event_base *base, struct event *ev) { (void) base, (void) ev; }
void __lockstep_event_callback_done (struct event_base *base) { (void) base; }
void __lockstep_event_base_made (void) {}

// ---- bases -----------------------------------------------------------------------------------------
struct event_base *event_base_new (void) {
  __lockstep_event_base_made ();
  struct event_base *base = __lockstep_calloc_bytes (sizeof *base);
  if (!base) return NULL;
  base->events = __lockstep_calloc_bytes (MAX_EVENTS * sizeof *base->events);
  if (base->events) return base;
  __lockstep_free (base);
  return NULL;
}

struct event_base *event_base_new_with_config (const void *config) {
  return (void) config, event_base_new ();
}

void event_base_free (struct event_base *base) {
  if (!base) base = __lockstep_event_current_base ();
  __lockstep_event_enter (base);
  __lockstep_atomic_begin ();
  while (base->count) {
    struct event *ev = base->events[0];
    __lockstep_event_unlink (base, ev);
    if (ev->flags & OWN) __lockstep_event_free_own (ev);
  }
  __lockstep_atomic_end ();
  __lockstep_event_leave (base);
  __lockstep_event_base_freed (base);
  __lockstep_free (base->events);
  __lockstep_free (base);
}

void event_base_free_nofinalize (struct event_base *base) { event_base_free (base); }

// ---- what fires ------------------------------------------------------------------------------------
// Flags that may make it fire in this round.
static int ready (const struct event *ev) {
  int late = ev->flags >> LATE_SHIFT & (TIMED | INSERTED);
  int may = ev->flags & PENDING & ~late;
  return ev->fd < 0 ? may & ~INSERTED : may;
}

// What the callback is told: some of what was asked for, or that time is up.
static short choose_result (const struct event *ev, int ready) {
  int known = ready & ACTIVE;
  int result = known ? ev->result : 0;
  int rest = ready & INSERTED ? ev->events & EV_OUTSIDE : 0;
  if (!known && (ready & TIMED) && (!rest || __lockstep_nondet_bool ())) return EV_TIMEOUT;
  while (rest) {
    int bit = rest & -rest;
    rest &= ~bit;
    if ((!known && !result && !rest) || __lockstep_nondet_bool ()) result |= bit;
  }
  return (short) result;
}

static void fire (struct event_base *base, struct event *ev) {
  ev->result = choose_result (ev, ready (ev));
  ev->flags &= ~ACTIVE;
  if ((ev->events & EV_PERSIST) && (ev->flags & PENDING)) ev->flags |= (ev->flags & PENDING) << LATE_SHIFT;
  else __lockstep_event_unlink (base, ev);
  if (ev->flags & OWN) base->own = ev;
}

static struct event *choose_event (struct event_base *base) {
  struct event *chosen = NULL;
  for (unsigned k = 0; k < base->count; k++) {
    if (!ready (base->events[k])) continue;
    chosen = base->events[k];
    if (__lockstep_nondet_bool ()) break;
  }
  return chosen;
}

// ---- rounds ----------------------------------------------------------------------------------------
static void end_round (struct event_base *base) {
  for (unsigned k = 0; k < base->count; k++) base->events[k]->flags &= ~LATE;
  base->in_round = 0;
}

// Else there is nothing to wait for.
static int begin_round (struct event_base *base, int flags) {
  end_round (base);
  base->in_round = 1;
  base->was_empty = !(flags & LOOP_STAYS) && !base->count && !base->exits && !base->exit_timers;
  while (base->exit_timers && __lockstep_nondet_bool ()) {
    base->exit_timers--;
    base->exits = 1;
  }
  return !base->was_empty;
}

// A round may be over as soon as what event_active demanded has run.
static int round_goes_on (struct event_base *base, int waits) {
  int may = 0;
  for (unsigned k = 0; k < base->count; k++) may |= ready (base->events[k]);
  if (waits) __lockstep_assume (may);
  return waits || (may & ACTIVE) || (may && !__lockstep_nondet_bool ());
}

// Does one more callback run?  Some event is ready then.
static int loop_goes_on (struct event_base *base, int flags) {
  if (base->breaks) return 0;
  int is_new = !base->in_round || !((flags & LOOP_ONE_ROUND) || base->exits);
  if (is_new && !begin_round (base, flags)) return 0;
  return round_goes_on (base, is_new && !base->exits && !(flags & LOOP_NONBLOCK));
}

// ---- loops -----------------------------------------------------------------------------------------
static int begin_loop (struct event_base *base) {
  __lockstep_event_enter (base);
  __lockstep_atomic_begin ();
  int begins = !base->in_loop;
  if (begins) {
    base->in_loop = 1;
    base->breaks = base->got_exit = base->was_empty = 0;
    base->thread = __lockstep_thread_self ();
  }
  __lockstep_atomic_end ();
  __lockstep_event_leave (base);
  return begins;
}

// The callback before has returned, if there was one.  NULL: the loop ends.  Either way `release` should follow.
static struct event *fire_next (struct event_base *base, int flags) {
  __lockstep_event_enter (base);
  __lockstep_atomic_begin ();
  __lockstep_event_free_own (base->own);
  base->own = NULL;
  struct event *ev = loop_goes_on (base, flags) ? choose_event (base) : NULL;
  if (ev) fire (base, ev);
  base->running = ev;
  return ev;
}

static void release (struct event_base *base) {
  __lockstep_atomic_end ();
  __lockstep_event_callback_done (base);
  __lockstep_event_leave (base);
}

static int end_loop (struct event_base *base) {
  end_round (base);
  base->in_loop = 0;
  if (!base->breaks) {
    base->got_exit = base->exits;
    base->exits = 0;
  }
  int result = base->was_empty;
  release (base);
  return result;
}

// As libevent does, file and argument are read when others may use the base again.
int event_base_loop (struct event_base *base, int flags) {
  if (!begin_loop (base)) return -1;
  struct event *ev;
  while ((ev = fire_next (base, flags))) {
    event_callback callback = ev->callback;
    short what = ev->result;
    release (base);
    callback (ev->fd, what, ev->argument);
  }
  return end_loop (base);
}

int event_base_loopexit (struct event_base *base, const void *delay) {
  if (delay) __lockstep_read_time (delay);
  __lockstep_event_enter (base);
  __lockstep_atomic_begin ();
  if (delay) base->exit_timers++;
  else base->exits = 1;
  __lockstep_atomic_end ();
  __lockstep_event_leave (base);
  return 0;
}

int event_base_loopbreak (struct event_base *base) {
  if (!base) return -1;
  __lockstep_event_enter (base);
  __lockstep_atomic_begin ();
  base->breaks = 1;
  __lockstep_atomic_end ();
  __lockstep_event_leave (base);
  return 0;
}

int event_base_dispatch (struct event_base *base) { return event_base_loop (base, 0); }
int event_base_loopcontinue (struct event_base *base) { return base ? 0 : -1; }

// ---- asking ----------------------------------------------------------------------------------------
static int read_flag (struct event_base *base, const unsigned char *flag) {
  __lockstep_event_enter (base);
  __lockstep_atomic_begin ();
  int result = *flag;
  __lockstep_atomic_end ();
  __lockstep_event_leave (base);
  return result;
}

int event_base_got_exit (struct event_base *base) { return read_flag (base, &base->got_exit); }
int event_base_got_break (struct event_base *base) { return read_flag (base, &base->breaks); }

const char *event_get_version (void) { return "2.1.12-stable"; }
unsigned event_get_version_number (void) { return 0x02010c00; }
const char *event_base_get_method (const struct event_base *base) { return (void) base, "epoll"; }
const char *event_get_method (void) { return "epoll"; }
int event_reinit (struct event_base *base) { return (void) base, 0; }
int event_base_update_cache_time (struct event_base *base) { return (void) base, 0; }
void event_enable_debug_mode (void) {}
void event_enable_debug_logging (unsigned which) { (void) which; }
void libevent_global_shutdown (void) {}

int event_base_gettimeofday_cached (struct event_base *base, void *time) {
  (void) base;
  __lockstep_any_bytes (time, 2 * sizeof (long));
  return 0;
}

int event_base_priority_init (struct event_base *base, int count) {
  extern void __lockstep_unsupported_priorities_of_events (void);
  (void) base;
  if (count != 1) __lockstep_unsupported_priorities_of_events ();
  return 0;
}

// ---- the base of event_init ------------------------------------------------------------------------
static struct event_base *current_base;

struct event_base *event_init (void) {
  return current_base = event_base_new ();
}
struct event_base *__lockstep_event_current_base (void) {
  return NULL;
}
struct event_base *__lockstep_event_current_base__if__event_init (void) {
  return current_base;
}

void __lockstep_event_base_freed (struct event_base *base) { (void) base; }
void __lockstep_event_base_freed__if__event_init (struct event_base *base) {
  if (base == current_base) current_base = NULL;
}

int event_loop (int flags) { return event_base_loop (current_base, flags); }
int event_dispatch (void) { return event_base_loop (current_base, 0); }
int event_loopexit (const void *delay) { return event_base_loopexit (current_base, delay); }
int event_priority_init (int count) { return event_base_priority_init (current_base, count); }

// ---- configurations: nothing in them changes what may happen, but for the lock ----------------------
void __lockstep_event_without_lock (void) {}

void *event_config_new (void) { return __lockstep_malloc (1); }
void event_config_free (void *config) { __lockstep_free (config); }

int event_config_set_flag (void *config, int flag) {
  if (!config) return -1;
  if (flag & 1) __lockstep_event_without_lock ();
  return 0;
}

int event_config_avoid_method (void *config, const char *method) {
  (void) config;
  __lockstep_read_string (method);
  return 0;
}
int event_config_require_features (void *config, int features) { return (void) features, config ? 0 : -1; }
int event_config_set_num_cpus_hint (void *config, int cpus) { return (void) cpus, config ? 0 : -1; }
