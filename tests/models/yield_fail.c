// sched_yield orders nothing.
#include <pthread.h>
#include <sched.h>

static int x;

static void *work (void *arg) {
  x = 1;
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  sched_yield ();
  x = 2;
  pthread_join (t, NULL);
  return 0;
}
