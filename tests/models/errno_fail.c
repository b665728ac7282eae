// The failure of another thread is not in main's errno.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *work (void *arg) {
  sem_trywait (&s);
  return arg;
}

int main (void) {
  pthread_t t;
  sem_init (&s, 0, 0);
  pthread_create (&t, NULL, work, NULL);
  pthread_join (t, NULL);
  assert (errno == EAGAIN);
  return 0;
}
