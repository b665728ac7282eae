// Mutex attributes keep what was set.
#include <assert.h>
#include <pthread.h>

int main (void) {
  pthread_mutexattr_t attr;
  int value;
  pthread_mutexattr_init (&attr);
  pthread_mutexattr_gettype (&attr, &value);
  assert (value == PTHREAD_MUTEX_DEFAULT);
  pthread_mutexattr_settype (&attr, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutexattr_setpshared (&attr, PTHREAD_PROCESS_PRIVATE);
  pthread_mutexattr_gettype (&attr, &value);
  assert (value == PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutexattr_getpshared (&attr, &value);
  assert (value == PTHREAD_PROCESS_PRIVATE);
  pthread_mutexattr_destroy (&attr);
  return 0;
}
