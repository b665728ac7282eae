// The value is old when it is used: the last unit may be gone.
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *take_if_there (void *arg) {
  int value;
  sem_getvalue (&s, &value);
  if (value > 0) sem_wait (&s);
  return arg;
}

int main (void) {
  pthread_t t;
  sem_init (&s, 0, 1);
  pthread_create (&t, NULL, take_if_there, NULL);
  take_if_there (NULL);
  pthread_join (t, NULL);
  return 0;
}
