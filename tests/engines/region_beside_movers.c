// One thread stands before an atomic region, the other reaches its access by a right mover (taking a lock): the race of the two shows only if the region is tried with
// the other one there.  The lock is wanted by both, later by the first, so the state where both begin is expanded once, with both.
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_atomic_begin (void);
extern void __VERIFIER_atomic_end (void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, cells[2];
atomic_int tail[8];

// So much can still meet that states are stored.
static void go_on (void)
{
  for (int i = 0; i < 8; i++) atomic_fetch_add (&tail[i], 1);
}

void *region (void *unused)
{
  (void) unused;
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  __VERIFIER_atomic_begin ();
  x++;
  __VERIFIER_atomic_end ();
  pthread_mutex_lock (&m);
  cells[0]++;
  pthread_mutex_unlock (&m);
  go_on ();
  return NULL;
}

void *mover (void *unused)
{
  (void) unused;
  pthread_mutex_lock (&m);
  cells[x & 1]++;
  cells[x & 1] = 1;
  pthread_mutex_unlock (&m);
  go_on ();
  return NULL;
}

int main (void)
{
  pthread_t one, two;
  pthread_create (&one, NULL, region, NULL);
  pthread_create (&two, NULL, mover, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  return 0;
}
