// A wait at a condition variable may end without a signal, but nobody owes it that it does.
//   IF     the waiting thread does not test its condition again: wrong only because of spurious wake-ups
//   TIMED  the same with a timed wait whose result is trusted
//   LOST   it does not test the condition at all, so it may wait for a signal that has been sent already
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void await (void) {
#if defined IF
  if (!ready) pthread_cond_wait (&c, &m);
  assert (ready);
#elif defined TIMED
  static const struct timespec soon = {1, 0};
  if (!ready && pthread_cond_timedwait (&c, &m, &soon) == 0) assert (ready);
#elif defined LOST
  pthread_cond_wait (&c, &m);
#else
  while (!ready) pthread_cond_wait (&c, &m);
  assert (ready);
#endif
}

static void *consumer (void *arg) {
  pthread_mutex_lock (&m);
  await ();
  pthread_mutex_unlock (&m);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, consumer, NULL);
  pthread_mutex_lock (&m);
  ready = 1;
  pthread_cond_signal (&c);
  pthread_mutex_unlock (&m);
  pthread_join (t, NULL);
  return 0;
}
