// x++ is a read and a write.
#include <assert.h>
#include <pthread.h>

static int x;

static void *work (void *arg) {
  x++;
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  x++;
  pthread_join (t, NULL);
  assert (x == 2);
  return 0;
}
