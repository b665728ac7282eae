// An event without EV_PERSIST fires once; one that was deleted, was not added, or can never come about does not.
// With AGAIN the callback adds it again; with PERSISTENT it stays.
#include "event_api.h"

static int fired;
static struct event once, deleted, forgotten, endless;

static void on_read (int fd, short what, void *arg) {
  fired++;
  assert (what == EV_READ);
#ifdef PERSISTENT
  assert (event_pending (&once, EV_READ, NULL));
  if (fired == 2) event_del (&once);
#else
  assert (!event_pending (&once, EV_READ | EV_TIMEOUT, NULL));
#endif
#ifdef AGAIN
  if (fired == 1) event_add (&once, NULL);
#endif
}

static void never (int fd, short what, void *arg) { assert (0); }

int main (void) {
  struct event_base *base = event_base_new ();
#ifdef PERSISTENT
  event_assign (&once, base, 3, EV_READ | EV_PERSIST, on_read, NULL);
#else
  event_assign (&once, base, 3, EV_READ, on_read, NULL);
#endif
  event_assign (&deleted, base, 4, EV_READ, never, NULL);
  event_assign (&forgotten, base, 5, EV_READ, never, NULL);
  event_assign (&endless, base, -1, 0, never, NULL);
  event_add (&once, NULL);
  event_add (&deleted, NULL);
  event_add (&endless, NULL);  // neither file nor time
  event_del (&deleted);
  int result = event_base_loop (base, 0);
  assert (result == 1 && fired == 1);
  return 0;
}
