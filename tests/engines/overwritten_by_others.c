// A mutex is filled with zeros while another thread may hold it, which then gives back what it no longer holds.  The engine order looked only at the
// locks of the thread that writes, and called this safe.
#include <pthread.h>
#include <string.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *use (void *unused)
{
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  return unused;
}

int main (void)
{
  pthread_t t;
  pthread_create (&t, 0, use, 0);
#ifdef AFTER
  pthread_join (t, 0);
#endif
  memset (&m, 0, sizeof m);
#ifndef AFTER
  pthread_join (t, 0);
#endif
  return 0;
}
