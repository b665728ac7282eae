// The thread is created inside a call that does nothing else, and only sometimes: the way to the access that is shown passes the call without creating anybody, and is
// completed by the creation.
#include <pthread.h>

extern int __VERIFIER_nondet_int (void);

int counter;

static void *count (void *unused)
{
  (void) unused;
  counter++;
  return NULL;
}

static void start (void)
{
  pthread_t t;
  if (__VERIFIER_nondet_int ()) pthread_create (&t, NULL, count, NULL);
}

int main (void)
{
  start ();
  counter++;
  return 0;
}
