// Once woken, a thread no longer touches the condition variable: it may be destroyed and freed at once.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t *c;
static int waiting, go;

static void *waiter (void *arg) {
  pthread_mutex_lock (&m);
  waiting = 1;
  while (!go) pthread_cond_wait (c, &m);
  pthread_mutex_unlock (&m);
  return arg;
}

int main (void) {
  pthread_t t;
  int woken = 0;
  c = malloc (sizeof *c);
  pthread_cond_init (c, NULL);
  pthread_create (&t, NULL, waiter, NULL);
  pthread_mutex_lock (&m);
  go = 1;
  if (waiting) {
    pthread_cond_broadcast (c);
    woken = 1;
  }
  pthread_mutex_unlock (&m);
  if (woken) {
    pthread_cond_destroy (c);
    free (c);
  }
  pthread_join (t, NULL);
  return 0;
}
