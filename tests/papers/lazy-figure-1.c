// LAZY (Ganai, Gupta 2008), figure 1: threads P1 and P2 share g1 under l1, except at 7b.  Both set g1 to 0 at first, which
// is its initial value here (g1 at 1a and 1b would be one more race).  7b races with 3a and 4a; and if P2 is through
// before P1 reads g1, x stays 0 and the assertion at 7a fails.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t l1 = PTHREAD_MUTEX_INITIALIZER;
int g1 = 0;

void *p1 (void *unused)
{
  (void) unused;
  int x = 0;                   // 1a
  pthread_mutex_lock (&l1);    // 2a
  if (g1 != 1) {               // 3a
    g1 = 1;                    // 4a
    x++;                       // 5a
  }
  pthread_mutex_unlock (&l1);  // 6a
  assert (x > 0);              // 7a
  return NULL;
}

void *p2 (void *unused)
{
  (void) unused;
  int y = 0;                   // 1b
  pthread_mutex_lock (&l1);    // 2b
  if (g1 != 0) {               // 3b
    g1 = 0;                    // 4b
    y++;                       // 5b
  }
  pthread_mutex_unlock (&l1);  // 6b
  g1 = 1;                      // 7b
  (void) y;
  return NULL;
}

int main (void)
{
  pthread_t one, two;
  pthread_create (&one, NULL, p1, NULL);
  pthread_create (&two, NULL, p2, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  return 0;
}
