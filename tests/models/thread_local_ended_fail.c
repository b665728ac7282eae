// A thread-local variable is gone with its thread.
#include <pthread.h>

static _Thread_local int n;

static void *work (void *arg) {
  (void) arg;
  return &n;
}

int main (void) {
  pthread_t t;
  void *address;
  pthread_create (&t, NULL, work, NULL);
  pthread_join (t, &address);
  return *(int *) address;
}
