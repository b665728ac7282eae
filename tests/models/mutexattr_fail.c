// There is no mutex type 77.
#include <assert.h>
#include <pthread.h>

int main (void) {
  pthread_mutexattr_t attr;
  pthread_mutexattr_init (&attr);
  assert (pthread_mutexattr_settype (&attr, 77) == 0);
  return 0;
}
