// An atomic write and a plain read of the same object.
#include <pthread.h>

static int n;

static void *work (void *arg) {
  __atomic_store_n (&n, 1, __ATOMIC_SEQ_CST);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  int seen = n;
  pthread_join (t, NULL);
  return seen & 0;
}
