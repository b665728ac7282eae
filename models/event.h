// libevent 2.1 as far as it registers and runs callbacks: what event.c, event_loop.c and event_threads.c share.
//
// An event keeps its callback in the user's own object, and a base keeps its events in an array rather than in a list
// through them: so the points-to analysis (src/analysis/pointsto.h) can keep apart what is registered at different
// bases, although the same object may be at one base now and at another later.  For the same reason functions that
// handle bases are small: they are inlined, or analysed once per call, and every event_base_loop of a program has a
// call of callbacks for itself.
//
// A base is changed inside atomic regions only.  That keeps a call of libevent to one step, but says nothing of whether
// the program may call it from several threads: __lockstep_event_enter does.
#ifndef LOCKSTEP_EVENT_H
#define LOCKSTEP_EVENT_H

#include "intrinsics.h"

enum { EV_TIMEOUT = 0x01, EV_READ = 0x02, EV_WRITE = 0x04, EV_SIGNAL = 0x08, EV_PERSIST = 0x10, EV_CLOSED = 0x80 };
enum { EV_IO = EV_READ | EV_WRITE | EV_CLOSED, EV_OUTSIDE = EV_IO | EV_SIGNAL };

// Flags of an event.  The first four are libevent's; the others are ours.
enum {
  TIMED = 0x01,             // its timer runs
  INSERTED = 0x02,          // it waits for a file or signal
  ACTIVE = 0x08,            // by event_active: will run
  INITIALISED = 0x80,
  PENDING = TIMED | INSERTED | ACTIVE,
  LATE_SHIFT = 8,           // TIMED and INSERTED again, shifted: not to fire before the next round
  LATE = (TIMED | INSERTED) << LATE_SHIFT,
  OWN = 0x1000,             // made by event_base_once: freed after its callback
};

typedef void (*event_callback) (int fd, short what, void *argument);
struct event_base;

// Programs look into it: `fd`, `base`, `callback` and their like lie where libevent has them.
struct event {
  void *links[2];
  short flags;
  unsigned char priority, closure;
  event_callback callback;
  void *argument;
  void *timer[2];
  int fd;
  struct event_base *base;
  void *file_links[2];
  long file_timeout[2];
  short events, result;
  long timeout[2];
};

enum { MAX_EVENTS = 32 };

struct event_base {
  struct event **events;             // [0..count[: those pending, in any order
  unsigned count;
  unsigned exit_timers;              // calls of event_base_loopexit with a delay that has not passed
  unsigned char in_loop, in_round;
  unsigned char exits, breaks;       // asked for by loopexit, its delay over, and by loopbreak
  unsigned char got_exit, was_empty; // why the loop ended
  unsigned char used;                // written by a thread that uses a base without a lock (event_loop.c)
  struct event *running;             // its callback runs
  struct event *own;                 // ran last, and is OWN
  thread_handle thread;              // that ran the loop last
  long lock[6], done[6];             // event_threads.c: mutex; condition: a callback returned
};

// Before and after everything that uses a base.
void __lockstep_event_enter (struct event_base *);
void __lockstep_event_leave (struct event_base *);
void __lockstep_event_await (struct event_base *, struct event *);  // until its callback does not run
void __lockstep_event_callback_done (struct event_base *);
void __lockstep_event_base_made (void);

// Inside an atomic region.
void __lockstep_event_link (struct event_base *, struct event *);
void __lockstep_event_unlink (struct event_base *, struct event *);  // and forget that it is pending


// What few programs need: versions for those that call event_init, event_self_cbarg or event_base_once.
struct event_base *__lockstep_event_current_base (void);
void __lockstep_event_base_freed (struct event_base *);
void *__lockstep_event_argument (struct event *, void *argument);
void __lockstep_event_free_own (struct event *);

#endif
