// Two worker threads, each with a base of its own; their callbacks count without a lock (with LOCKED: with one).
#include "event_api.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;
static struct event notified[2];

static void on_notified (int fd, short what, void *base) {
#ifdef LOCKED
  pthread_mutex_lock (&m);
#endif
  count++;
#ifdef LOCKED
  pthread_mutex_unlock (&m);
#endif
  event_base_loopexit (base, NULL);
}

static void *work_1 (void *base) {
  event_base_loop (base, 0);
  return NULL;
}

static void *work_2 (void *base) {
  event_base_loop (base, 0);
  return NULL;
}

int main (void) {
  pthread_t one, two;
  struct event_base *first = event_base_new (), *second = event_base_new ();
  event_set (&notified[0], 3, EV_READ | EV_PERSIST, on_notified, first);
  event_base_set (first, &notified[0]);
  event_add (&notified[0], NULL);
  event_set (&notified[1], 4, EV_READ | EV_PERSIST, on_notified, second);
  event_base_set (second, &notified[1]);
  event_add (&notified[1], NULL);
  pthread_create (&one, NULL, work_1, first);
  pthread_create (&two, NULL, work_2, second);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  event_base_free (first);
  event_base_free (second);
  return 0;
}
