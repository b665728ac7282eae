// An assumption that fails inside an atomic region ends the execution: what others do before it must be seen, whether or not the region touches it.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin (void);
extern void __VERIFIER_atomic_end (void);
extern void __VERIFIER_assume (int);

int x, y;

void *assuming (void *unused)
{
  (void) unused;
  __VERIFIER_atomic_begin ();
  int seen = x;
  __VERIFIER_assume (seen == 7);
  __VERIFIER_atomic_end ();
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
