// The same without a region, and with an assumption that only some executions meet.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume (int);
extern _Bool __VERIFIER_nondet_bool (void);

int own, y;

void *assuming (void *unused)
{
  (void) unused;
  own = __VERIFIER_nondet_bool ();
  __VERIFIER_assume (own && !own);
  return NULL;
}

void *failing (void *unused)
{
  (void) unused;
  y = 1;
  assert (y == 2);
  return NULL;
}

int main (void)
{
  pthread_t one, two;
  pthread_create (&one, NULL, assuming, NULL);
  pthread_create (&two, NULL, failing, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  return 0;
}
