// With two units it is not.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int count;

static void *work (void *arg) {
  sem_wait (&s);
  count++;
  sem_post (&s);
  return arg;
}

int main (void) {
  pthread_t t;
  sem_init (&s, 0, 2);
  pthread_create (&t, NULL, work, NULL);
  work (NULL);
  pthread_join (t, NULL);
  assert (count == 2);
  return 0;
}
