// --error-label=ERROR: whoever reaches the label fails an assertion.  Two threads count without a lock; SAFE: with one.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work (void *arg) {
#ifdef SAFE
  pthread_mutex_lock (&m);
#endif
  count++;
#ifdef SAFE
  pthread_mutex_unlock (&m);
#endif
  return arg;
}

static void judge (int expected) {
  if (count == expected) goto OUT;
ERROR:
  count = 0;
OUT:
  return;
}

void never_called (void) {
MISSED:
  if (count++ < 3) goto MISSED;
}

int main (void) {
  pthread_t t, u;
  pthread_create (&t, NULL, work, NULL);
  pthread_create (&u, NULL, work, NULL);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  judge (2);
UNUSED:
  return 0;
}
