// An atomic region that waits for a thread lets the others move meanwhile.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

extern void __VERIFIER_atomic_begin (void);
extern void __VERIFIER_atomic_end (void);

int x;

void *writing (void *unused)
{
  (void) unused;
  x = 2;
  return NULL;
}

int main (void)
{
  pthread_t one;
  __VERIFIER_atomic_begin ();
  pthread_create (&one, NULL, writing, NULL);
  x = 1;
  pthread_join (one, NULL);
  __VERIFIER_atomic_end ();
  assert (x == 1);
  return 0;
}
