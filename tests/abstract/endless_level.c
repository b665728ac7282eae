// Two threads that never end raise and lower a level by any amounts, within limits.  There are too many states for a search; a few predicates prove it.  -DWRONG: one
// comparison is.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int (void);

static int level;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#ifdef WRONG
#define LIMIT 1001
#else
#define LIMIT 1000
#endif

static void *raise_it (void *unused) {
  for (;;) {
    int by = __VERIFIER_nondet_int ();
    pthread_mutex_lock (&lock);
    if (by > 0 && by <= LIMIT - level) level += by;
    pthread_mutex_unlock (&lock);
  }
  return unused;
}

static void *lower_it (void *unused) {
  for (;;) {
    int by = __VERIFIER_nondet_int ();
    pthread_mutex_lock (&lock);
    if (by > 0 && by <= level) level -= by;
    pthread_mutex_unlock (&lock);
  }
  return unused;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, raise_it, NULL);
  pthread_create (&b, NULL, lower_it, NULL);
  for (;;) {
    pthread_mutex_lock (&lock);
    assert (level >= 0 && level <= 1000);
    pthread_mutex_unlock (&lock);
  }
}
