// The kind of mutexes is set in an attribute object that was not initialised: it is that kind all the same.
#include <pthread.h>

int main (void) {
  pthread_mutexattr_t attr;
  pthread_mutex_t m;
  pthread_mutexattr_settype (&attr, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init (&m, &attr);
  pthread_mutex_lock (&m);
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  pthread_mutex_unlock (&m);
  return 0;
}
