// exit in any thread ends the process, even if main waits for something that never comes.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t never;

static void *end_all (void *arg) {
  exit (0);
  return arg;
}

int main (void) {
  pthread_t t;
  sem_init (&never, 0, 0);
  pthread_create (&t, NULL, end_all, NULL);
  sem_wait (&never);
  return 0;
}
