// Two threads add to a counter three times each, under a lock.  -DFORGETS: one of them without it.
#include <assert.h>
#include <pthread.h>

static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *careful (void *unused) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock (&lock);
    count++;
    pthread_mutex_unlock (&lock);
  }
  return unused;
}

static void *hasty (void *unused) {
  for (int i = 0; i < 3; i++) count++;
  return unused;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, careful, NULL);
#ifdef FORGETS
  pthread_create (&b, NULL, hasty, NULL);
#else
  (void) hasty;
  pthread_create (&b, NULL, careful, NULL);
#endif
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  assert (count == 6);
  return 0;
}
