// What the tests here use of libevent, so that they need none installed.  The real `struct event` is as large.
#ifndef EVENT_API_H
#define EVENT_API_H

#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/time.h>

struct event_base;
struct event {
  void *content[16];
};

enum { EV_TIMEOUT = 0x01, EV_READ = 0x02, EV_WRITE = 0x04, EV_PERSIST = 0x10 };
enum { EVLOOP_ONCE = 0x01, EVLOOP_NONBLOCK = 0x02 };

struct event_base *event_base_new (void);
struct event_base *event_init (void);
void event_base_free (struct event_base *);
int event_base_loop (struct event_base *, int flags);
int event_base_dispatch (struct event_base *);
int event_dispatch (void);
int event_base_loopexit (struct event_base *, const struct timeval *);
int event_base_loopbreak (struct event_base *);
int event_base_once (struct event_base *, int, short, void (*) (int, short, void *), void *, const struct timeval *);

int event_assign (struct event *, struct event_base *, int, short, void (*) (int, short, void *), void *);
void event_set (struct event *, int, short, void (*) (int, short, void *), void *);
int event_base_set (struct event_base *, struct event *);
struct event *event_new (struct event_base *, int, short, void (*) (int, short, void *), void *);
void event_free (struct event *);
int event_add (struct event *, const struct timeval *);
int event_del (struct event *);
void event_active (struct event *, int, short);
int event_pending (const struct event *, short, struct timeval *);

int evthread_use_pthreads (void);

#endif
