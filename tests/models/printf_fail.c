// The arguments of printf are read before it is called.
#include <pthread.h>
#include <stdio.h>

static int x;

static void *work (void *arg) {
  x = 1;
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  printf ("%d\n", x);
  pthread_join (t, NULL);
  return 0;
}
