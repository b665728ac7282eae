// A thread is not the one that created it.
#include <assert.h>
#include <pthread.h>

static pthread_t creator;

static void *check (void *arg) {
  assert (pthread_equal (pthread_self (), creator));
  return arg;
}

int main (void) {
  pthread_t t;
  creator = pthread_self ();
  pthread_create (&t, NULL, check, NULL);
  pthread_join (t, NULL);
  return 0;
}
