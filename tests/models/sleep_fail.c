// Nor does sleeping.
#include <pthread.h>
#include <unistd.h>

static int x;

static void *work (void *arg) {
  x = 1;
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  sleep (1);
  x = 2;
  pthread_join (t, NULL);
  return 0;
}
