// What holds for every value is not seen by trying some of them.
#include <pthread.h>

int nondet_int (void);
static int data, done;

static void *worker (void *arg) {
  data = nondet_int ();
  if (data % 7 == 3) data = 5;
  done = 1;
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, worker, NULL);
  pthread_join (t, NULL);
  return 0;
}
