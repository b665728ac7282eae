// The main thread adds an event to a base whose loop runs in another thread: a race inside libevent, unless it was told of threads
// (THREADS).  Then event_del waits for a callback that runs just now, which is a deadlock under a lock the callback needs (HOLDING).
#include "event_api.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value;
static struct event endless, reads;

static void on_read (int fd, short what, void *arg) {
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  value++;
}

static void *work (void *arg) {
  event_base_loop (arg, EVLOOP_ONCE);
  return NULL;
}

int main (void) {
  pthread_t t;
#ifdef THREADS
  evthread_use_pthreads ();
#endif
  struct event_base *base = event_base_new ();
  event_assign (&endless, base, 3, EV_READ | EV_PERSIST, on_read, NULL);
  event_assign (&reads, base, 4, EV_READ, on_read, NULL);
  event_add (&endless, NULL);
#ifdef THREADS
  event_add (&reads, NULL);
  event_del (&endless);
#endif
  pthread_create (&t, NULL, work, base);
#ifdef THREADS
#ifdef HOLDING
  pthread_mutex_lock (&m);
#endif
  event_del (&reads);
  value++;
#ifdef HOLDING
  pthread_mutex_unlock (&m);
#endif
#else
  event_add (&reads, NULL);
#endif
  pthread_join (t, NULL);
  return 0;
}
