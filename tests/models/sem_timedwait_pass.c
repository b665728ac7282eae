// A timed wait succeeds or fails with ETIMEDOUT; it never blocks for ever.
#include <assert.h>
#include <errno.h>
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
  if (sem_timedwait (&s, &soon) == 0) assert (x == 1);
  else assert (errno == ETIMEDOUT);
  pthread_join (t, NULL);
  return 0;
}
