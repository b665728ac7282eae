// __sync in one thread does not help against a plain write in the other.
#include <pthread.h>

static int n;

static void *work (void *arg) {
  __sync_fetch_and_add (&n, 1);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  n = 5;
  pthread_join (t, NULL);
  return 0;
}
