// A detached thread needs no join: main ends itself and leaves it running.
#include <pthread.h>

static int done;

static void *work (void *arg) {
  done = 1;
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  pthread_detach (t);
  pthread_exit (NULL);
}
