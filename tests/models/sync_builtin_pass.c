// GNU's __sync functions are atomic too.
#include <assert.h>
#include <pthread.h>

static int n;

static void *work (void *arg) {
  __sync_fetch_and_add (&n, 1);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  work (NULL);
  pthread_join (t, NULL);
  assert (n == 2);
  return 0;
}
