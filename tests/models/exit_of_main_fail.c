// pthread_exit in main ends only the main thread: the other one then waits for ever.
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void *wait_for_ever (void *arg) {
  sem_wait (&never);
  return arg;
}

int main (void) {
  pthread_t t;
  sem_init (&never, 0, 0);
  pthread_create (&t, NULL, wait_for_ever, NULL);
  pthread_exit (NULL);
}
