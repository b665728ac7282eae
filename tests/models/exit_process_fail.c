// Until exit is reached the others run: main may get to its assertion first.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *end_all (void *arg) {
  exit (0);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, end_all, NULL);
  assert (!"main is still there");
  return 0;
}
