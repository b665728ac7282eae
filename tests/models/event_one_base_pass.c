// Callbacks of one base run one after the other, each to its end, in either order; with OTHER_ORDER the assertion
// believes in one.
#include "event_api.h"

static int busy, first;

static void begin (int me) {
  assert (!busy);
  busy = 1;
  if (!first) first = me;
  busy = 0;
}

static void on_read (int fd, short what, void *arg) {
  assert (fd == 3 && what == EV_READ);
  begin (*(int *) arg);
}

static void on_time (int fd, short what, void *arg) {
  assert (what == EV_TIMEOUT);
  begin (*(int *) arg);
}

static void *work (void *arg) {
  int result = event_base_dispatch (arg);
  assert (result == 1);  // nothing left to wait for
  return NULL;
}

int main (void) {
  static int one = 1, two = 2;
  pthread_t t;
  struct timeval soon = {0, 0};
  struct event_base *base = event_base_new ();
  struct event *reads = event_new (base, 3, EV_READ, on_read, &one);
  struct event *waits = event_new (base, -1, 0, on_time, &two);
  event_add (reads, NULL);
  event_add (waits, &soon);
  pthread_create (&t, NULL, work, base);
  pthread_join (t, NULL);
#ifdef OTHER_ORDER
  assert (first == one);
#endif
  assert (first == one || first == two);
  event_free (reads);
  event_free (waits);
  event_base_free (base);
  return 0;
}
