// event_base_once: called once, its memory freed; event_active: called although nothing came about; the base of event_init.
#include "event_api.h"

static int calls, demanded;
static struct event event;

static void count (int fd, short what, void *arg) { ++*(int *) arg; }

int main (void) {
  struct timeval soon = {0, 0};
  struct event_base *base = event_init ();
  event_base_once (base, -1, EV_TIMEOUT, count, &calls, &soon);
  event_set (&event, -1, 0, count, &demanded);
  event_active (&event, EV_WRITE, 1);
  event_dispatch ();
  assert (calls == 1 && demanded == 1);
  event_base_free (base);
  return 0;
}
