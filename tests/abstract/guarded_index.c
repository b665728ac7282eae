// An index chosen by another thread is checked before it is used.  -DUNCHECKED: not at its upper end.  -DTWICE: a lock is released twice.
#include <pthread.h>

extern int __VERIFIER_nondet_int (void);

static int table[4], wish;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *choose (void *unused) {
  pthread_mutex_lock (&lock);
  wish = __VERIFIER_nondet_int ();
  pthread_mutex_unlock (&lock);
  return unused;
}

int main (void) {
  pthread_t a;
  pthread_create (&a, NULL, choose, NULL);
  pthread_mutex_lock (&lock);
#ifdef UNCHECKED
  if (wish >= 0) table[wish] = 1;
#else
  if (wish >= 0 && wish < 4) table[wish] = 1;
#endif
  pthread_mutex_unlock (&lock);
#ifdef TWICE
  pthread_mutex_unlock (&lock);
#endif
  pthread_join (a, NULL);
  return 0;
}
