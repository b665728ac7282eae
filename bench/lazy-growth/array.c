// Two threads write to cells of an array of N, under a lock, wherever an input says.  No other cell changes.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint (void);

unsigned cell[N], chosen[2];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *write_one (void *which)
{
  pthread_mutex_lock (&m);
  cell[chosen[(long) which]] = 1 + (unsigned) (long) which;
  pthread_mutex_unlock (&m);
  return 0;
}

int main (void)
{
  pthread_t a, b;
  unsigned seen = __VERIFIER_nondet_uint () % N;
  for (int i = 0; i < 2; i++) chosen[i] = __VERIFIER_nondet_uint () % N;
  pthread_create (&a, 0, write_one, (void *) 0);
  pthread_create (&b, 0, write_one, (void *) 1);
  pthread_join (a, 0);
  pthread_join (b, 0);
  assert ((cell[seen] != 0) == (seen == chosen[0] || seen == chosen[1]));
  return 0;
}
