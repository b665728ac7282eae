// A thread that ends the process, fails, or waits in vain inside of an atomic region shows the others nothing of what it has written there.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin (void);
extern void __VERIFIER_atomic_end (void);
extern void __VERIFIER_assume (int);

int x = 1, y;

void *write_both (void *unused)
{
  __VERIFIER_atomic_begin ();
  if (y == 0) {
    x = 0;
#ifdef ASSUME
    __VERIFIER_assume (y);
#elif defined ERROR
    *(int *) 0 = 1;
#elif !defined LEAVE
    exit (0);
#endif
  }
  x++;
#ifdef LEAVE
  x = 0;
#endif
  __VERIFIER_atomic_end ();
  return unused;
}

int main (void)
{
  pthread_t t;
  pthread_create (&t, 0, write_both, 0);
  y = 1;
  assert (x != 0);
  return 0;
}
