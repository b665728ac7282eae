// Its failure is ignored.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t s;
static const struct timespec soon = { 1, 0 };
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
  sem_timedwait (&s, &soon);
  assert (x == 1);
  pthread_join (t, NULL);
  return 0;
}
