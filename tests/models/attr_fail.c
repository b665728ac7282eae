// A thread created with a detached attribute cannot be joined.
#include <pthread.h>

static void *work (void *arg) { return arg; }

int main (void) {
  pthread_attr_t attr;
  pthread_t t;
  pthread_attr_init (&attr);
  pthread_attr_setdetachstate (&attr, PTHREAD_CREATE_DETACHED);
  pthread_create (&t, &attr, work, NULL);
  pthread_join (t, NULL);
  return 0;
}
