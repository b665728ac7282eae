// EVLOOP_ONCE: every event at most once, and at least one; loopbreak: no other callback after it; loopexit: only those that
// came about at the same time.
#include "event_api.h"

static int a_fired, b_fired, late;
static struct event_base *base;
static struct event a, b, added;

static void on_added (int fd, short what, void *arg) { late++; }

static void on_a (int fd, short what, void *arg) {
  a_fired++;
#ifdef ADDS
  event_add (&added, NULL);
#endif
#ifdef BREAKS
  event_base_loopbreak (base);
#endif
#ifdef EXITS
  event_base_loopexit (base, NULL);
#endif
}

static void on_b (int fd, short what, void *arg) {
  b_fired++;
#if defined BREAKS || defined STOPS
  assert (!a_fired);
#endif
}

int main (void) {
  base = event_base_new ();
  event_assign (&a, base, 3, EV_READ | EV_PERSIST, on_a, NULL);
  event_assign (&b, base, 4, EV_READ, on_b, NULL);
  event_assign (&added, base, 5, EV_READ, on_added, NULL);
  event_add (&a, NULL);
  event_add (&b, NULL);
#if defined BREAKS || defined EXITS
  event_base_loop (base, 0);
  assert (a_fired == 1 && b_fired <= 1 && !late);
#else
  event_base_loop (base, EVLOOP_ONCE);
  assert (a_fired + b_fired >= 1 && a_fired <= 1 && b_fired <= 1 && !late);
#endif
#ifdef ALONE
  assert (a_fired + b_fired == 1);
#endif
  event_base_free (base);
  return 0;
}
