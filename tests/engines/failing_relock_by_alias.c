// As failing_relock_in_a_call.c, but the callee knows the mutex by another name.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t e = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP, other = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t *_Atomic current = &e;
static int x;

static __attribute__ ((noinline)) void
f (void)
{
  pthread_mutex_t *m = current;
  pthread_mutex_lock (m);
  pthread_mutex_unlock (m);
}

static void *
one (void *arg)
{
  pthread_mutex_lock (&e);
#ifdef AT_ONCE
  pthread_mutex_t *m = current;
  pthread_mutex_lock (m);
  pthread_mutex_unlock (m);
#else
  f ();
#endif
  x++;
  return arg;
}

static void *
two (void *arg)
{
  pthread_mutex_lock (&e);
  x++;
  pthread_mutex_unlock (&e);
  current = &other;
  return arg;
}

int
main (void)
{
  pthread_t t, u;
  pthread_create (&t, NULL, one, NULL);
  pthread_create (&u, NULL, two, NULL);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  return 0;
}
