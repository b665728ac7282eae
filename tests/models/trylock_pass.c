// Who fails to get the mutex leaves the data alone.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work (void *arg) {
  int error = pthread_mutex_trylock (&m);
  assert (error == 0 || error == EBUSY);
  if (error) return arg;
  count++;
  pthread_mutex_unlock (&m);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  work (NULL);
  pthread_join (t, NULL);
  assert (count == 1 || count == 2);
  return 0;
}
