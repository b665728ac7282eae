// A timed wait may time out although the signal is on its way.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static const struct timespec soon = { 1, 0 };

static void *wake (void *arg) {
  pthread_mutex_lock (&m);
  pthread_cond_signal (&c);
  pthread_mutex_unlock (&m);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_mutex_lock (&m);
  pthread_create (&t, NULL, wake, NULL);
  assert (pthread_cond_timedwait (&c, &m, &soon) == 0);
  pthread_mutex_unlock (&m);
  pthread_join (t, NULL);
  return 0;
}
