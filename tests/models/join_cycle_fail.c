// Two threads that join each other never end.
#include <pthread.h>
#include <semaphore.h>

static pthread_t t, u;
static sem_t ready;

static void *join_u (void *arg) {
  sem_wait (&ready);
  pthread_join (u, NULL);
  return arg;
}

static void *join_t (void *arg) {
  pthread_join (t, NULL);
  return arg;
}

int main (void) {
  sem_init (&ready, 0, 0);
  pthread_create (&t, NULL, join_u, NULL);
  pthread_create (&u, NULL, join_t, NULL);
  sem_post (&ready);
  pthread_exit (NULL);
}
