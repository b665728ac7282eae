// The waiter tests the flag without the mutex.  If the signal comes between its test and its wait, no thread is waiting
// yet, the signal is lost, and the waiter sleeps for ever.
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
atomic_int done = 0;

void *waiter (void *unused)
{
  (void) unused;
  if (!done) {
    pthread_mutex_lock (&m);
    pthread_cond_wait (&ready, &m);
    pthread_mutex_unlock (&m);
  }
  return NULL;
}

int main (void)
{
  pthread_t w;
  pthread_create (&w, NULL, waiter, NULL);
  done = 1;
  pthread_mutex_lock (&m);
  pthread_cond_signal (&ready);
  pthread_mutex_unlock (&m);
  pthread_join (w, NULL);
  return 0;
}
