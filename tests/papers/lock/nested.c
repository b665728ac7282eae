// LOCK section 2: foo_nested takes a and b, and bar gives them back in reverse.  With -DNOT_NESTED it is foo_not_nested, which
// takes b and a, so that bar gives back b while a, taken later, is still held.  No race and no deadlock in either.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void bar (void) {
  count++;
  pthread_mutex_unlock (&b);
  pthread_mutex_unlock (&a);
  pthread_mutex_lock (&c);
}

static void *foo (void *arg) {
#ifdef NOT_NESTED
  pthread_mutex_lock (&b);
  pthread_mutex_lock (&a);
#else
  pthread_mutex_lock (&a);
  pthread_mutex_lock (&b);
#endif
  bar ();
  pthread_mutex_unlock (&c);
  return arg;
}

int main (void) {
  pthread_t one, two;
  pthread_create (&one, NULL, foo, NULL);
  pthread_create (&two, NULL, foo, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  return 0;
}
