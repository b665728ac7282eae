// A callback is run by the loop of its event's base only: each thread has its own data, and nobody needs a lock.
#include "event_api.h"

static int mine, yours;
static struct event my_event, your_event;

static void on_mine (int fd, short what, void *arg) { mine++; }
static void on_yours (int fd, short what, void *arg) { yours++; }

static void *work (void *base) {
  event_base_loop (base, 0);
  return NULL;
}

int main (void) {
  pthread_t t;
  struct event_base *my_base = event_base_new (), *your_base = event_base_new ();
  event_assign (&my_event, my_base, 3, EV_READ, on_mine, NULL);
  event_add (&my_event, NULL);
  event_assign (&your_event, your_base, 4, EV_READ, on_yours, NULL);
  event_add (&your_event, NULL);
  pthread_create (&t, NULL, work, your_base);
  event_base_loop (my_base, 0);
  assert (mine == 1);
#ifdef TOO_EARLY
  assert (yours == 1);
#endif
  pthread_join (t, NULL);
  assert (yours == 1);
  return 0;
}
