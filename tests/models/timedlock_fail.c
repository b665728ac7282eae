// A timed lock may time out.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static const struct timespec soon = { 1, 0 };

static void *work (void *arg) {
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  assert (pthread_mutex_timedlock (&m, &soon) == 0);
  pthread_mutex_unlock (&m);
  pthread_join (t, NULL);
  return 0;
}
