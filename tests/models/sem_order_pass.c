// A post is kept for the one who waits later, also if another thread posts.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int x;

static void *work (void *arg) {
  x = 1;
  sem_post (&s);
  return arg;
}

int main (void) {
  pthread_t t;
  sem_init (&s, 0, 0);
  pthread_create (&t, NULL, work, NULL);
  sem_wait (&s);
  assert (x == 1);
  pthread_join (t, NULL);
  return 0;
}
