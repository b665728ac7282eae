// The try may come before the post.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *work (void *arg) {
  sem_post (&s);
  return arg;
}

int main (void) {
  pthread_t t;
  sem_init (&s, 0, 0);
  pthread_create (&t, NULL, work, NULL);
  assert (sem_trywait (&s) == 0);
  pthread_join (t, NULL);
  return 0;
}
