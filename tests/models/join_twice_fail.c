// A thread can be joined once.
#include <pthread.h>

static void *nothing (void *arg) { return arg; }

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, nothing, NULL);
  pthread_join (t, NULL);
  pthread_join (t, NULL);
  return 0;
}
