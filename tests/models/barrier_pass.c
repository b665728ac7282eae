// Each thread writes its cell before the barrier and reads the other's after it.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;
static int cell[2];

static void *work (void *arg) {
  int me = arg != NULL;
  cell[me] = 1;
  pthread_barrier_wait (&b);
  assert (cell[1 - me] == 1);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_barrier_init (&b, NULL, 2);
  pthread_create (&t, NULL, work, &b);
  work (NULL);
  pthread_join (t, NULL);
  assert (pthread_barrier_destroy (&b) == 0);
  return 0;
}
