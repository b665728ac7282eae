// 64 threads made in a loop, each joined before the next: slots and handles are used again.
#include <assert.h>
#include <pthread.h>

static int sum;

static void *add (void *arg) {
  sum += (int) (long) arg;
  return arg;
}

int main (void) {
  for (long i = 0; i < 64; i++) {
    pthread_t t;
    pthread_create (&t, NULL, add, (void *) i);
    pthread_join (t, NULL);
  }
  assert (sum == 2016);
  return 0;
}
