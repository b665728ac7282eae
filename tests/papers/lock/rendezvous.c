// LOCK section 7: a send and a receive that happen together, made from locks by chaining: before one is given back, the next is
// taken.  The sender starts with `receives`, the receiver with `sends`; from then on they can only go in one order, in which the
// sender has passed its write before the receiver gets to its own.  The locks are not nested, so the analysis cannot know: it calls
// the race possible, and says that it may be impossible.
#include <pthread.h>

static pthread_mutex_t meets = PTHREAD_MUTEX_INITIALIZER, sends = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t receives = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both_started;
static int message;

static void *sender (void *arg) {
  pthread_mutex_lock (&receives);
  pthread_barrier_wait (&both_started);
  message = 1;
  pthread_mutex_lock (&meets);
  pthread_mutex_unlock (&receives);
  pthread_mutex_lock (&sends);
  pthread_mutex_unlock (&meets);
  pthread_mutex_lock (&receives);
  pthread_mutex_unlock (&sends);
  pthread_mutex_unlock (&receives);
  return arg;
}

static void *receiver (void *arg) {
  pthread_mutex_lock (&sends);
  pthread_barrier_wait (&both_started);
  pthread_mutex_lock (&receives);
  pthread_mutex_unlock (&sends);
  pthread_mutex_lock (&meets);
  pthread_mutex_unlock (&receives);
  message = 0;
  pthread_mutex_lock (&sends);
  pthread_mutex_unlock (&meets);
  pthread_mutex_unlock (&sends);
  return arg;
}

int main (void) {
  pthread_t one, two;
  pthread_barrier_init (&both_started, NULL, 2);
  pthread_create (&one, NULL, sender, NULL);
  pthread_create (&two, NULL, receiver, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  return 0;
}
