// Events of libevent: event_assign, event_add, event_del, event_active and what else is done with one event.
//
// Left out, and reported when an execution gets there: priorities, more than 32 events pending at a base.  Times are
// not modelled: a timer may run out at any time.
#include "event.h"

// ---- making ----------------------------------------------------------------------------------------
static char self_argument;
void *event_self_cbarg (void) { return &self_argument; }

void *__lockstep_event_argument (struct event *ev, void *argument) { return (void) ev, argument; }
void *__lockstep_event_argument__if__event_self_cbarg (struct event *ev, void *argument) {
  return argument == &self_argument ? ev : argument;
}

int event_assign (struct event *ev, struct event_base *base, int fd, short events, event_callback callback,
                  void *argument) {
  if ((events & EV_SIGNAL) && (events & EV_IO)) return -1;
  ev->base = base ? base : __lockstep_event_current_base ();
  ev->fd = fd;
  ev->events = events;
  ev->result = 0;
  ev->flags = INITIALISED;
  ev->callback = callback;
  ev->argument = __lockstep_event_argument (ev, argument);
  return 0;
}

void event_set (struct event *ev, int fd, short events, event_callback callback, void *argument) {
  event_assign (ev, NULL, fd, events, callback, argument);
}

int event_base_set (struct event_base *base, struct event *ev) {
  if (ev->flags != INITIALISED) return -1;
  ev->base = base;
  return 0;
}

// ---- at the base -----------------------------------------------------------------------------------
// Where it is, `count` if nowhere.
static unsigned place_of (struct event_base *base, struct event *ev) {
  unsigned k = 0;
  while (k < base->count && base->events[k] != ev) k++;
  return k;
}

void __lockstep_event_link (struct event_base *base, struct event *ev) {
  unsigned place = place_of (base, ev);
  if (place < base->count) {
    __lockstep_check_memory (ev->flags & PENDING, "event initialised again while it was pending");
    return;
  }
  if (place == MAX_EVENTS) {
    extern void __lockstep_unsupported_more_than_32_events_at_a_base (void);
    __lockstep_unsupported_more_than_32_events_at_a_base ();
    return;
  }
  base->events[place] = ev;
  base->count++;
}

void __lockstep_event_unlink (struct event_base *base, struct event *ev) {
  ev->flags &= ~(PENDING | LATE);
  unsigned place = place_of (base, ev);
  if (place == base->count) return;
  base->events[place] = base->events[--base->count];
  base->events[base->count] = NULL;
}

// What is added during a round of callbacks cannot fire in it: libevent has asked the system already.
static void add_pending (struct event_base *base, struct event *ev, int timed) {
  int added = (ev->events & EV_OUTSIDE) && !(ev->flags & (INSERTED | ACTIVE)) ? INSERTED : 0;
  if (timed) added |= TIMED;
  if (!added) return;
  __lockstep_event_link (base, ev);
  ev->flags |= added | added << LATE_SHIFT;
}

int event_add (struct event *ev, const void *timeout) {
  struct event_base *base = ev->base;
  if (!base) return -1;
  if (timeout) __lockstep_read_time (timeout);
  __lockstep_event_enter (base);
  __lockstep_atomic_begin ();
  add_pending (base, ev, timeout != NULL);
  __lockstep_atomic_end ();
  __lockstep_event_leave (base);
  return 0;
}

static int delete_event (struct event *ev, int awaits) {
  struct event_base *base = ev->base;
  if (!base) return -1;
  __lockstep_event_enter (base);
  __lockstep_atomic_begin ();
  __lockstep_event_unlink (base, ev);
  __lockstep_atomic_end ();
  if (awaits) __lockstep_event_await (base, ev);
  __lockstep_event_leave (base);
  return 0;
}

int event_del (struct event *ev) { return delete_event (ev, 1); }
int event_del_block (struct event *ev) { return delete_event (ev, 1); }
int event_del_noblock (struct event *ev) { return delete_event (ev, 0); }

int event_remove_timer (struct event *ev) {
  struct event_base *base = ev->base;
  if (!base) return -1;
  __lockstep_event_enter (base);
  __lockstep_atomic_begin ();
  ev->flags &= ~(TIMED | TIMED << LATE_SHIFT);
  if (!(ev->flags & PENDING)) __lockstep_event_unlink (base, ev);
  __lockstep_atomic_end ();
  __lockstep_event_leave (base);
  return 0;
}

void event_active (struct event *ev, int result, short calls) {
  (void) calls;
  struct event_base *base = ev->base;
  if (!base) return;
  __lockstep_event_enter (base);
  __lockstep_atomic_begin ();
  __lockstep_event_link (base, ev);
  ev->result = (short) ((ev->flags & ACTIVE ? ev->result : 0) | result);
  ev->flags |= ACTIVE;
  __lockstep_atomic_end ();
  __lockstep_event_leave (base);
}

static int waits_for (const struct event *ev) {
  int what = 0;
  if (ev->flags & INSERTED) what |= ev->events & EV_OUTSIDE;
  if (ev->flags & ACTIVE) what |= ev->result;
  if (ev->flags & TIMED) what |= EV_TIMEOUT;
  return what;
}

int event_pending (const struct event *ev, short what, void *timeout) {
  struct event_base *base = ev->base;
  if (!base) return 0;
  __lockstep_event_enter (base);
  __lockstep_atomic_begin ();
  int result = waits_for (ev) & what & (EV_OUTSIDE | EV_TIMEOUT);
  __lockstep_atomic_end ();
  __lockstep_event_leave (base);
  if (timeout && (result & EV_TIMEOUT)) __lockstep_any_bytes (timeout, 2 * sizeof (long));
  return result;
}

// ---- on the heap -----------------------------------------------------------------------------------
struct event *event_new (struct event_base *base, int fd, short events, event_callback callback, void *argument) {
  struct event *ev = __lockstep_malloc (sizeof *ev);
  if (!ev) return NULL;
  if (event_assign (ev, base, fd, events, callback, argument) == 0) return ev;
  __lockstep_free (ev);
  return NULL;
}

void event_free (struct event *ev) {
  event_del (ev);
  __lockstep_free (ev);
}

void __lockstep_event_free_own (struct event *ev) { (void) ev; }
void __lockstep_event_free_own__if__event_base_once (struct event *ev) { __lockstep_free (ev); }
void __lockstep_event_free_own__if__event_once (struct event *ev) { __lockstep_free (ev); }

int event_base_once (struct event_base *base, int fd, short events, event_callback callback, void *argument,
                     const void *timeout) {
  if (events & (EV_SIGNAL | EV_PERSIST)) return -1;
  if (!(events & (EV_TIMEOUT | EV_READ | EV_WRITE | EV_CLOSED))) return -1;
  struct event *ev = event_new (base, fd, events & EV_IO, callback, argument);
  if (!ev) return -1;
  ev->flags |= OWN;
  if (events == EV_TIMEOUT && !timeout) event_active (ev, EV_TIMEOUT, 1);
  else event_add (ev, timeout);
  return 0;
}

int event_once (int fd, short events, event_callback callback, void *argument, const void *timeout) {
  return event_base_once (NULL, fd, events, callback, argument, timeout);
}

// ---- asking ----------------------------------------------------------------------------------------
int event_initialized (const struct event *ev) { return (ev->flags & INITIALISED) != 0; }
int event_get_fd (const struct event *ev) { return ev->fd; }
short event_get_events (const struct event *ev) { return ev->events; }
struct event_base *event_get_base (const struct event *ev) {
  return ev->base;
}
event_callback event_get_callback (const struct event *ev) { return ev->callback; }
void *event_get_callback_arg (const struct event *ev) { return ev->argument; }
int event_get_priority (const struct event *ev) { return (void) ev, 0; }
int event_priority_set (struct event *ev, int priority) { return (void) ev, priority ? -1 : 0; }
size_t event_get_struct_event_size (void) { return sizeof (struct event); }
void event_debug_unassign (struct event *ev) { (void) ev; }
