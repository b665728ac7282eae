// A thread uses a local variable of a function that has returned.
#include <pthread.h>

static pthread_t t;

static void *work (void *arg) {
  *(int *) arg = 1;
  return NULL;
}

static void start (void) {
  int local = 0;
  pthread_create (&t, NULL, work, &local);
}

int main (void) {
  start ();
  pthread_join (t, NULL);
  return 0;
}
