// pthread_cleanup_pop (1) runs the handler, pop (0) does not.
#include <assert.h>
#include <pthread.h>

static int runs;

static void handler (void *arg) { runs += *(int *) arg; }

static void *work (void *arg) {
  int one = 1, ten = 10;
  pthread_cleanup_push (handler, &one);
  pthread_cleanup_push (handler, &ten);
  pthread_cleanup_pop (0);
  pthread_cleanup_pop (1);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  pthread_join (t, NULL);
  assert (runs == 1);
  return 0;
}
