// CIRC (Kahlon, Gupta, Sinha 2006), figure 1: x is protected by lk at 3a and 3b and unprotected at 5b.  With T1 at 3a
// and T2 at 1b nothing interferes; with T2 at 5b it does.  So there is one race: 3a against 5b.
#include <pthread.h>

pthread_mutex_t lk = PTHREAD_MUTEX_INITIALIZER;
int x;

void *t1 (void *unused)
{
  (void) unused;
  int a = 0;                  // 1a
  pthread_mutex_lock (&lk);
  x = 1;                      // 3a
  pthread_mutex_unlock (&lk);
  a = 4;                      // 5a
  (void) a;
  return NULL;
}

void *t2 (void *unused)
{
  (void) unused;
  int z = 5;                  // 1b
  (void) z;
  pthread_mutex_lock (&lk);
  x = 2;                      // 3b
  pthread_mutex_unlock (&lk);
  x = 6;                      // 5b
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
