// CIRC (Kahlon, Gupta, Sinha 2006), figure 2: 6a and 6b write x under disjoint locks, so lock sets call it a race.  But
// a thread that is at 6b went through both locks while the other was at neither end: the lock pattern excludes the
// pair.  What is really there is the deadlock of the crossed acquisitions.
#include <pthread.h>

pthread_mutex_t lk1 = PTHREAD_MUTEX_INITIALIZER, lk2 = PTHREAD_MUTEX_INITIALIZER;
int x, y, z;

void *t1 (void *unused)
{
  (void) unused;
  pthread_mutex_lock (&lk1);    // 2a
  pthread_mutex_lock (&lk2);    // 3a
  y = 1;
  pthread_mutex_unlock (&lk2);  // 5a
  x = 0;                        // 6a
  pthread_mutex_unlock (&lk1);  // 7a
  return NULL;
}

void *t2 (void *unused)
{
  (void) unused;
  pthread_mutex_lock (&lk2);    // 2b
  pthread_mutex_lock (&lk1);    // 3b
  z = 2;
  pthread_mutex_unlock (&lk1);  // 5b
  x = 1;                        // 6b
  pthread_mutex_unlock (&lk2);  // 7b
  return NULL;
}

int main (void)
{
  pthread_t one, two;
  pthread_create (&one, NULL, t1, NULL);
  pthread_create (&two, NULL, t2, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  return 0;
}
