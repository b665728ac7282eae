// A thread waits in a loop whose condition nobody ever makes false.  The engine order took the loop for one that surely goes on, and followed it for a million rounds.
#include <pthread.h>

int full = 1;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t empty = PTHREAD_COND_INITIALIZER;

void *produce (void *unused)
{
  pthread_mutex_lock (&m);
  while (full) pthread_cond_wait (&empty, &m);
  full = 1;
  pthread_mutex_unlock (&m);
  return unused;
}

int main (void)
{
  pthread_t t;
  pthread_create (&t, 0, produce, 0);
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  pthread_cond_signal (&empty);
  pthread_join (t, 0);
  return 0;
}
